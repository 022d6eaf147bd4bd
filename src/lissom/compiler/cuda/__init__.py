"""CUDA: programs as PTX, and NVIDIA's driver called through ctypes: no toolkit is needed."""
