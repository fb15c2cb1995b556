# SPDX-License-Identifier: GPL-2.0-or-later
# client.py redis|haproxy SOCKET: requests of many kinds over a unix socket, until it is killed or the server ends.
import random
import socket
import sys

COMMANDS = """SET key:%d value%d | GET key:%d | INCR number:%d | APPEND text:%d more | LPUSH list:%d a b %d | LRANGE list:%d 0 5 |
LTRIM list:%d 0 40 | RPOP list:%d | HSET hash:%d f%d 1 g 2 | HGETALL hash:%d | SADD set:%d %d x | SMEMBERS set:%d | SPOP set:%d |
ZADD zset:%d %d m%d | ZRANGE zset:%d 0 5 WITHSCORES | ZREMRANGEBYRANK zset:%d 50 -1 | EXPIRE key:%d 2 | TTL key:%d | DEL key:%d |
SETEX soon:%d 1 x | OBJECT ENCODING hash:%d | PUBLISH news %d | XADD stream:%d MAXLEN 50 * f %d | XRANGE stream:%d - + COUNT 3 |
SUNION set:%d set:%d | SORT list:%d ALPHA LIMIT 0 3 | SCAN %d COUNT 5 | MULTI | PFADD hll:%d %d | EXEC | GETRANGE text:%d 0 9 |
SETBIT bits:%d %d 1 | BITCOUNT bits:%d | TYPE zset:%d | STRLEN text:%d | RENAME key:%d other:%d""".split("|")


def redis_request():
    command = random.choice(COMMANDS).strip()
    while "%d" in command:
        command = command.replace("%d", str(random.randrange(60)), 1)
    if random.randrange(200) == 0:
        command = "EVAL return(redis.call('GET','key:1')) 0"
    words = command.split()
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words)


def haproxy_request():
    return b"GET /%s?q=%d HTTP/1.1\r\nHost: host%d\r\nUser-Agent: client\r\nX-Number: %d\r\nCookie: a=%d\r\n\r\n" % (
        random.choice([b"static/x", b"api/v1", b"deny", b"go", b"other"]), random.randrange(99), random.randrange(5),
        random.randrange(1000), random.randrange(9))


make = redis_request if sys.argv[1] == "redis" else haproxy_request
while True:
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(sys.argv[2])
        except OSError:
            break
        try:
            for _ in range(500):
                s.sendall(b"".join(make() for _ in range(random.randrange(1, 6))))
                if not s.recv(65536):
                    break
        except OSError:  # a server that gdb has stopped for long closes connections that timed out
            pass
