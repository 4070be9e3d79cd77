import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { createServer } from "node:http"
import { at, listAt, send } from "../harness/App.ts"
import { needTools } from "../tools/Needed.ts"
import { project } from "../tools/Tools.ts"
import { block, outputOf, prepared, serviceLayer } from "./Calling.ts"
import { guide, marked } from "./Guides.ts"
import { example, isSkipped, php, python } from "./Receivers.ts"

// Takes long: it runs every call in two languages.
// The calls in the guides to Python and PHP, as a club's own server makes them with a key.

const languages = {
  Python: { program: python, files: { "turma.py": block("python", "calls"), "use.py": block("python", "use") } },
  PHP: { program: php, files: { "turma.php": block("php", "calls"), "use.php": block("php", "use") } }
} as const

layer(serviceLayer({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" }), { excludeTestServices: true })(
  "the calls of a guide",
  (it) => {
    for (const [language, { files, program }] of Object.entries(languages)) {
      it.effect.skipIf(isSkipped(program))(
        `in ${language} read a list to its end, create once, and get a failure as it is`,
        () =>
          Effect.gen(function*() {
            const { club, place, students } = yield* prepared(files)
            const script = language === "PHP" ? "use.php" : "use.py"
            const [one = "", two = "", ...others] = (yield* outputOf(program, [script], place)).trim().split("\n")
            assert.match(one, /^1 [0-9a-f-]{36}$/)
            assert.strictEqual(two, one.replace("1", "2"))
            const { json } = yield* send("GET", `${club.path}/deliveries`, { token: club.token })
            assert.deepStrictEqual(listAt(json, "data").map((delivery) => at(delivery, "id")), [one.slice(2)])
            const failure = others.pop() ?? ""
            assert.sameMembers(others, students.map(({ email, name }) => `${name} ${email}`))
            assert.match(failure, /^422 validation_failed [\w-]{8,}$/)
          })
      )
    }

    it.effect.skipIf(isSkipped(python))(
      "have types in Python that read what is answered",
      (context) =>
        Effect.gen(function*() {
          yield* Effect.promise(() => needTools(context))
          const { club, place, students } = yield* prepared({
            "turma.py": block("python", "calls"),
            "typed.py": block("python", "typed")
          })
          yield* send("POST", `${club.path}/webhook-endpoints`, {
            token: club.token,
            body: { url: "https://127.0.0.1:8443/turma", event_types: ["student.created"] }
          })
          const types = example("sh", marked(guide("python"), "types"))
          const { dependencies } = JSON.parse(yield* Effect.flatMap(
            FileSystem.FileSystem,
            (fs) => fs.readFileString(`${project}/test/tools/package.json`)
          ))
          const named = `npx -y quicktype@${dependencies.quicktype}`
          assert.include(types, named)
          const here = types.replace(named, `"${process.execPath}" "${project}/test/tools/node_modules/.bin/quicktype"`)
          yield* outputOf("bash", ["-euo", "pipefail", "-c", here], place)
          yield* outputOf(python, ["-m", "py_compile", "turma_types.py"], place)
          const lines = (yield* outputOf(python, ["typed.py"], place)).trim().split("\n")
          assert.deepStrictEqual(
            lines.slice(0, -1).map((line) => line.replace(/ since \d{4}$/, "")),
            students.map(({ name }) => name)
          )
          assert.strictEqual(lines.at(-1), "https://127.0.0.1:8443/turma enabled")
        })
    )
  }
)

/** Writes with and without an idempotency key, until the service refuses more writes. */
const busy = {
  Python: `
import time
from turma import TurmaError, call

club = call("GET", "/v1/key")["data"]["organization_id"]
slept = []
time.sleep = slept.append
for key in (None, "order-1042"):
    try:
        for attempt in range(5):
            call("POST", f"/v1/clubs/{club}/deliveries", {"name": f"{key}"}, idempotency_key=key and f"{key}-{attempt}")
    except TurmaError as error:
        print(error.code, len(slept), all(0 < wait <= 60 for wait in slept))
`,
  PHP: `<?php
$slept = [];
function rest(int $seconds): void
{
    global $slept;
    $slept[] = $seconds;
}
eval(str_replace(['<?php', 'sleep('], ['', 'rest('], file_get_contents('turma.php')));

$club = call('GET', '/v1/key')['data']['organization_id'];
foreach ([null, 'order-1042'] as $key) {
    try {
        for ($attempt = 0; $attempt < 5; $attempt++) {
            $sent = ['name' => $key ?? 'None'];
            call('POST', "/v1/clubs/$club/deliveries", $sent, idempotencyKey: $key === null ? null : "$key-$attempt");
        }
    } catch (TurmaError $error) {
        $between = array_filter($slept, fn ($wait) => 0 < $wait && $wait <= 60);
        echo $error->errorCode, ' ', count($slept), $slept === $between ? ' True' : ' False', "\n";
    }
}
`
} as const

layer(serviceLayer({ RATE_LIMIT_WRITES: "3" }), { excludeTestServices: true })(
  "the calls of a guide to a service that is too busy",
  (it) => {
    for (const [language, { files, program }] of Object.entries(languages)) {
      it.effect.skipIf(isSkipped(program))(
        `in ${language} are made again, after the time that it says, if they may be`,
        () =>
          Effect.gen(function*() {
            const code = language === "PHP" ? busy.PHP : busy.Python
            const { place } = yield* prepared({ ...files, busy: code })
            const said = yield* outputOf(program, ["busy"], place)
            assert.strictEqual(said, "rate_limited 0 True\nrate_limited 2 True\n")
          })
      )
    }
  }
)

/** A server that answers like a proxy in front of a dead service, and redirects one path. */
const proxy = Effect.gen(function*() {
  const asked: Array<string> = []
  const server = createServer(({ url = "" }, response) => {
    asked.push(url)
    if (url === "/moved") response.writeHead(302, { location: "/elsewhere" }).end()
    else response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>")
  })
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = server.address()
  assert.isObject(address)
  const port = typeof address === "object" ? address?.port : undefined
  return { asked, url: `http://127.0.0.1:${port}` }
})

const lost = `<?php
require 'turma.php';
foreach (['/v1/key', '/moved'] as $path) {
    try {
        call('GET', $path);
    } catch (TurmaError $error) {
        echo $error->status, ' ', $error->errorCode, "\n";
    }
}
`

layer(NodeServices.layer, { excludeTestServices: true })("the calls of a guide to what is no API", (it) => {
  it.effect.skipIf(isSkipped(php))("in PHP say so, and take the key nowhere else", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-calls-" })
      yield* fs.writeFileString(`${folder}/turma.php`, block("php", "calls"))
      yield* fs.writeFileString(`${folder}/lost.php`, lost)
      const { asked, url } = yield* proxy
      const said = yield* outputOf(php, ["lost.php"], { folder, env: { TURMA: url, TURMA_KEY: "turma_none" } })
      assert.strictEqual(said, "502 unknown\n302 unknown\n")
      assert.deepStrictEqual(asked, ["/v1/key", "/moved"])
    }))
})
