"""Stands for the JVM: passes its descriptor 0, the socket to inner, to the test at ../rendezvous, and does what the test asks."""

import os
import socket
import sys

home = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0])))
test = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
test.connect(os.path.join(home, "rendezvous"))
known = {"arguments": sys.argv[1:], "environment": dict(os.environ), "cwd": os.getcwd(), "pid": os.getpid(), "parent": os.getppid(),
         "session": os.getsid(0)}
socket.send_fds(test, [repr(known).encode()], [0])
while True:
    words = test.recv(4096).decode().split()
    if not words:
        os._exit(0)
    if words[0] == "exit":
        os._exit(int(words[1]))
    if words[0] == "pipe":
        read, write = os.pipe()
        socket.send_fds(test, [f"{write} {read}".encode()], [read])
    if words[0] == "close":
        os.close(int(words[1]))
        test.send(b"closed")
