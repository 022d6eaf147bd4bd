"""Mixed work from threads and processes for an hour, with memory, handles and results watched.

    python -m tests.soak --minutes 60

`jobs.py` has the work: small pieces, each with results that are the same every time. `worker.py` computes each once, alone, then
again and again from many threads, and compares. `__main__.py` starts the workers on one empty cache and judges what they report.
"""
