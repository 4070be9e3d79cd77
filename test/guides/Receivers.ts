import { Effect, FileSystem } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { DatabaseSync } from "node:sqlite"
import { freePort } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { blocks, guide, project } from "./Guides.ts"

/**
 * The interface of the official Python package, whose name and errors it has: tests reach no PyPI. So what is shown is
 * that the example runs and uses the interface rightly; that our signatures are right, the Node packages show.
 */
const standIn = `
import base64, hashlib, hmac, json, time

class WebhookVerificationError(Exception):
    pass

class Webhook:
    def __init__(self, secret):
        self.key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret)

    def verify(self, data, headers):
        text = data if isinstance(data, str) else data.decode()
        known = {name.lower(): value for name, value in headers.items()}
        id, timestamp, signatures = (known.get("webhook-" + name) for name in ("id", "timestamp", "signature"))
        if not (id and timestamp and signatures):
            raise WebhookVerificationError("Missing required headers")
        if abs(time.time() - float(timestamp)) > 300:
            raise WebhookVerificationError("Message timestamp too old or too new")
        expected = hmac.new(self.key, f"{id}.{timestamp}.{text}".encode(), hashlib.sha256).digest()
        for signature in signatures.split(" "):
            version, encoded = signature.split(",")
            if version == "v1" and hmac.compare_digest(expected, base64.b64decode(encoded)):
                return json.loads(text)
        raise WebhookVerificationError("No matching signature found")
`

/** The one block of the guide in this language. */
const example = (language: string): string => {
  const [code, ...others] = blocks(guide("receivers"), language)
  if (code === undefined || others.length > 0) throw new Error(`The guide has not one block of ${language}`)
  return code
}

/** The receiver in Node, as the guide has it. */
export const nodeReceiver = example("js")

const receivers = {
  Node: { file: "receiver.mjs", code: nodeReceiver, program: process.execPath },
  Python: { file: "receiver.py", code: example("python"), program: "python3" }
}

const hasPython = spawnSync("python3", ["--version"]).status === 0

/** The languages whose receiver can be run here. */
export const languages = hasPython ? (["Node", "Python"] as const) : (["Node"] as const)

/** A folder in which both receivers find their package. */
export const workplace = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  yield* fs.symlink(`${project}node_modules`, `${folder}/node_modules`)
  yield* fs.makeDirectory(`${folder}/standardwebhooks`)
  yield* fs.writeFileString(`${folder}/standardwebhooks/__init__.py`, "")
  yield* fs.writeFileString(`${folder}/standardwebhooks/webhooks.py`, standIn)
  return folder
})

const answers = (url: string) =>
  Effect.promise(() => fetch(url, { method: "PUT", headers: { connection: "close" } }).then(() => true, () => false))

/** The guide's receiver as a process on a port of its own, stopped with the scope. */
export const startReceiverIn = Effect.fnUntraced(function*(language: (typeof languages)[number], secret: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* workplace
  const port = yield* freePort
  const { code, file, program } = receivers[language]
  yield* fs.writeFileString(`${folder}/${file}`, code.replaceAll("8080", `${port}`))
  const inbox = `${folder}/inbox.db`
  const env = { PATH: process.env["PATH"] ?? "", WEBHOOK_SECRET: secret, INBOX: inbox }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(program, [file], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const said: Array<string> = []
  child.stdout.on("data", (chunk: Buffer) => said.push(`${chunk}`))
  const url = `http://127.0.0.1:${port}/`
  yield* Effect.repeat(Effect.delay(answers(url), "50 millis"), { until: (answered) => answered })
  return {
    url,
    /** All that it has printed. */
    said: () => said.join(""),
    /** The bodies that it has kept. */
    kept: () => {
      const database = new DatabaseSync(inbox, { readOnly: true })
      const rows = database.prepare("select body from inbox order by occurred_at").all()
      database.close()
      return rows.map(({ body }) => `${String(body)}`)
    }
  }
})
