"""Attach as a user without rights: attach_as_nobody.py PID.

All is imported before, since that user may not be allowed to read where Python is installed.
"""

import os
import sys

import hangbisect.cli
import hangbisect.cli.attach
import hangbisect.host.linux
import hangbisect.host.survey
import hangbisect.watch.stacks

os.setgroups([])
os.setgid(65534)
os.setuid(65534)
sys.argv = ["hangbisect", "attach", sys.argv[1]]
hangbisect.cli.main()
