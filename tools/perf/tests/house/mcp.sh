# SPDX-License-Identifier: GPL-2.0-or-later
# perf mcp, the official client library and the inspector: NODE_MODULES is a folder node_modules with the npm packages @modelcontextprotocol/sdk
# and @modelcontextprotocol/inspector. And what no client would send. house/questions.sh has the answers.
. "$SRC/tools/perf/tests/tap"
plan 12
data=$SRC/tools/perf/tests/data/orders
serve=(-f --symfs "$data" "$data/orders.data")

has_package() { node --version >/dev/null 2>&1 && [[ -d ${NODE_MODULES:-}/@modelcontextprotocol/$1 ]]; }

if has_package sdk; then
	ln -s "$NODE_MODULES" node_modules
	cat >client.mjs <<'JS'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const say = (ok, name) => console.log((ok ? "ok" : "not ok") + " - client library: " + name);
const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command: process.env.PERF, args: ["mcp", ...process.argv.slice(2)] }));
say(client.getServerVersion().name == "perf" && client.getInstructions().includes("about"), "connects");
const { tools } = await client.listTools();
say(tools.map(t => t.name).join() == "about,top,drill,why,compare,fields,code,derive" &&
    tools.every(t => t.annotations.readOnlyHint && t.inputSchema.type == "object" && t.description), "lists the tools");
const ask = async (name, args) => {
	const result = await client.callTool({ name, arguments: args });
	return result.isError ? result.content[0].text : JSON.parse(result.content[0].text);
};
const top = await ask("top", { keys: ["type"], rows: 2 });
const drilled = await ask("drill", { handle: top.rows[1].handle });
say(top.rows.length == 2 && drilled.rows[0].typeoff == "struct account +0x8 (cash)", "drills from a row's handle");
say(typeof await ask("why", {}) == "string", "is told what the recording lacks");
const wrong = await client.callTool({ name: "nothing" }).then(() => false, e => e.code == -32602);
say(wrong, "a tool that does not exist is an error");
await client.ping();
await client.close();
JS
	PERF=$PERF node client.mjs "${serve[@]}" 2>err
else
	skip "client library" "no node, or NODE_MODULES has no @modelcontextprotocol/sdk" 5
fi

if has_package inspector; then
	inspect() { node "$NODE_MODULES/.bin/mcp-inspector" --cli "$PERF" mcp "${serve[@]}" "$@" >out 2>err </dev/null; }
	inspect --method tools/list
	check "inspector: lists the tools" test "$(grep -c '"inputSchema"' out)" = 8
	inspect --method tools/call --tool-name top --tool-arg keys=type rows=1
	check "inspector: asks" grep -q '\\"type\\":\\"struct level\\"' out
else
	skip inspector "no node, or NODE_MODULES has no @modelcontextprotocol/inspector" 2
fi

ping='{"jsonrpc":"2.0","id":"last","method":"ping"}'
# What is sent, and a ping behind it: an error with this code, then the ping's answer.
answered() { # NAME CODE
	{
		cat
		echo
		echo "$ping"
	} | (ulimit -v 3000000 && timeout 60 "$PERF" mcp "${serve[@]}") >out 2>err
	check "$1" test "$(wc -l <out) $(head -n 1 out | grep -c "\"code\":$2")" = "2 1" -a "$(tail -n 1 out)" = '{"jsonrpc":"2.0","id":"last","result":{}}' -a ! -s err
}
head -c 100000 "$data/orders.data" | tr -d '\n' | answered "bytes that are no text" -32700
head -c 900000 /dev/zero | tr '\0' '[' | answered "deep JSON" -32700
head -c 1G /dev/zero | answered "a line of 1 GiB, without its memory" -32700
# No client can name another file than those of the command line.
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"about","arguments":{"file":"/etc/passwd"}}}' |
	"$PERF" mcp "${serve[@]}" >out 2>err
check "only recordings of the command line" grep -q "there is no recording '/etc/passwd'" out
# Each request is answered, also one that was cancelled.
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"top","arguments":{"keys":"type"}}}' \
	'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}' "$ping" | "$PERF" mcp "${serve[@]}" >out 2>err
check "a request that is cancelled" test "$(grep -c '"id":"last"' out) $(wc -l <out)" = "1 2"
