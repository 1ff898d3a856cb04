"""Waits in a call that an interruption would end."""

import select

print("ready", flush=True)
select.epoll().poll(100)
