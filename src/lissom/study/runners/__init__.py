"""Where the cases of a study run: in this process, in processes of this machine, or on Dask."""
