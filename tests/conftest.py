"""Settings for every test: two hypothesis profiles, no window ever opens, and Ctrl-C is heard.

`quick` is the default: the same 50 examples every time, so a failure is never a matter of luck.
`long` draws new examples on every run: `pytest --hypothesis-profile=long`.
Neither has a deadline, and slow drawing is no failure: the machines that run this are noisy.
"""

import os
import signal

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts jobs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=50, derandomize=True, **patient)
settings.register_profile("long", max_examples=2000, print_blob=True, **patient)
settings.load_profile("quick")
