-- SPDX-License-Identifier: GPL-2.0-or-later
-- All samples of one trace, over all hosts, in order of time.
-- --param_trace=...: the trace id, 32 digits in hex
SELECT time, host, service, operation, comm, tid, event, weight, state, syscall, type, field, symbol
FROM samples
WHERE trace_id = unhex({trace:String})
ORDER BY time, host, tid;
