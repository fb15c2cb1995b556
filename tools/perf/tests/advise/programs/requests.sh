# SPDX-License-Identifier: GPL-2.0-or-later
# requests.sh CLIENTS REQUESTS: a server of Redis, in the folder of its sources, which many clients ask by turns. Prints how many keys it has then.
socket=$(mktemp -u "${TMPDIR:-/tmp}/requests.XXXXXX")
src/redis-server --port 0 --unixsocket "$socket" --save '' --daemonize no --loglevel warning >/dev/null &
until src/redis-cli -s "$socket" ping >/dev/null 2>&1; do sleep 0.05; done
src/redis-benchmark -s "$socket" -c "$1" -n "$2" -r 10000 -q -t set,get,incr,lpush,lpop,hset >/dev/null 2>&1
src/redis-cli -s "$socket" dbsize
src/redis-cli -s "$socket" shutdown nosave
wait
