import { Effect, FileSystem } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { inject } from "vitest"
import { freePort } from "../harness/FreePort.ts"
import { blocks, guide, marked, project } from "./Guides.ts"

/**
 * Stands in for the official Python package, with its names and errors, because tests do not reach PyPI. It shows that
 * the example runs and uses the interface correctly. The Node packages show that our signatures are correct.
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

/** The one block of code in this language. */
export const example = (language: string, text: string): string => {
  const [code, ...others] = blocks(text, language)
  if (code === undefined || others.length > 0) throw new Error(`There is not one block of ${language}`)
  return code
}

/** The receiver in Node, from the guide. */
export const nodeReceiver = example("js", guide("receivers"))

interface Receiver {
  readonly file: string
  readonly code: string
  /** Null if it is not installed. */
  readonly program: string | null
  /** The arguments of the program. */
  readonly arguments: (file: string, port: number) => ReadonlyArray<string>
}

/** The programs that run the guides' examples. */
export const python = inject("python")
export const php = inject("php")

/** The programs that make and run a generated client. */
export const clientPython = inject("clientPython")
export const java = inject("java")

const asFile = (file: string) => [file]

const receivers = {
  Node: { file: "receiver.mjs", code: nodeReceiver, program: process.execPath, arguments: asFile },
  "Python with the package": {
    file: "receiver.py",
    code: example("python", guide("receivers")),
    program: python,
    arguments: asFile
  },
  Python: {
    file: "receiver.py",
    code: example("python", marked(guide("python"), "receiver")),
    program: python,
    arguments: asFile
  },
  PHP: {
    file: "receiver.php",
    code: example("php", marked(guide("php"), "receiver")),
    program: php,
    // Shows errors, as PHP does by default. An error after the output has begun still has the status of a success.
    arguments: (file: string, port: number) => ["-d", "display_errors=1", "-S", `127.0.0.1:${port}`, file]
  }
} satisfies Record<string, Receiver>

export type Language = keyof typeof receivers

/** The languages in which a guide has a receiver. */
export const languages = ["Node", "Python with the package", "Python", "PHP"] as const satisfies ReadonlyArray<Language>

/**
 * True if tests that need this program are skipped: it is missing, and the set-up has said how to get it. With CI=true
 * no test is skipped, so it fails instead.
 */
export const isSkipped = (program: string | null): boolean => program === null && process.env["CI"] !== "true"

/** True if the tests of a language's receiver are skipped. */
export const isSkippedIn = (language: Language): boolean => isSkipped(receivers[language].program)

/** A folder with the packages that receivers need. */
const workplace = Effect.gen(function*() {
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

/** The guide's receiver as a process on a free port. It stops with the scope. */
export const startReceiverIn = Effect.fnUntraced(function*(
  language: Language,
  secret: string,
  change: (code: string) => string = (code) => code
) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* workplace
  const port = yield* freePort
  const { code, file, program, ...receiver } = receivers[language]
  if (program === null) return yield* Effect.die(new Error(`Nothing runs ${language} here`))
  yield* fs.writeFileString(`${folder}/${file}`, change(code).replaceAll("8080", `${port}`))
  const inbox = `${folder}/inbox.db`
  const env = { PATH: process.env["PATH"] ?? "", WEBHOOK_SECRET: secret, INBOX: inbox }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(program, receiver.arguments(file, port), { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const said: Array<string> = []
  const logged: Array<string> = []
  child.stdout.on("data", (chunk: Buffer) => said.push(`${chunk}`))
  child.stderr.on("data", (chunk: Buffer) => logged.push(`${chunk}`))
  const url = `http://127.0.0.1:${port}/`
  yield* Effect.repeat(Effect.delay(answers(url), "50 millis"), { until: (answered) => answered })
  return {
    url,
    /** Its whole output, or the events in PHP's log. */
    said: () =>
      language === "PHP"
        ? [...logged.join("").matchAll(/^\[[^\]]+\] (\S* \S+ is (?:new|known)\n)/gm)].map(([, line]) => line).join("")
        : said.join(""),
    /** The bodies in its inbox. */
    kept: () => {
      // PHP makes the inbox with the first event.
      if (!existsSync(inbox)) return []
      const database = new DatabaseSync(inbox, { readOnly: true })
      const rows = database.prepare("select body from inbox order by occurred_at").all()
      database.close()
      return rows.map(({ body }) => `${String(body)}`)
    }
  }
})
