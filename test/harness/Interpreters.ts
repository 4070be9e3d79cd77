import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { install, mayInstall } from "./Packages.ts"

/** A language whose examples in the guides are run, and how its interpreter is had. */
interface Interpreter {
  readonly name: string
  /** Programs that may be it, the first that is found. */
  readonly programs: ReadonlyArray<string>
  /** Succeeds with what the examples need. */
  readonly probe: ReadonlyArray<string>
  /** Debian's packages of it. */
  readonly packages: ReadonlyArray<string>
  /** The variable that names another program. */
  readonly variable: string
}

const python: Interpreter = {
  name: "Python",
  // Debian's first: only it sees the packages that Debian installed.
  programs: ["/usr/bin/python3", "python3"],
  probe: ["-c", "import dateutil, sqlite3"],
  packages: ["python3", "python3-dateutil"],
  variable: "TEST_PYTHON"
}

/** The same with what a generated client stands on. */
const clientPython: Interpreter = {
  ...python,
  name: "Python with urllib3 and certifi",
  probe: ["-c", "import certifi, dateutil, six, urllib3"],
  packages: ["python3", "python3-certifi", "python3-dateutil", "python3-six", "python3-urllib3"]
}

/** What the generator of that client runs on. */
const java: Interpreter = {
  name: "Java",
  programs: ["java"],
  probe: ["-version"],
  packages: ["default-jre-headless"],
  variable: "TEST_JAVA"
}

const php: Interpreter = {
  name: "PHP",
  programs: ["/usr/bin/php", "php"],
  probe: ["-r", "exit(in_array('sqlite', PDO::getAvailableDrivers()) ? 0 : 1);"],
  packages: ["php-cli", "php-sqlite3"],
  variable: "TEST_PHP"
}

/** The line for a machine without one. */
const howToGet = ({ packages, variable }: Interpreter) =>
  `install it (Debian: apt-get install ${packages.join(" ")}), or name one in ${variable}`

const lookUp = ({ probe, programs, variable }: Interpreter) =>
  Effect.sync(() => {
    const given = process.env[variable]
    const places = given === undefined ? programs : [given]
    return places.find((program) => spawnSync(program, probe).status === 0)
  })

const find = Effect.fnUntraced(function*(interpreter: Interpreter) {
  const there = yield* lookUp(interpreter)
  if (there !== undefined) return there
  if (mayInstall()) yield* Effect.ignore(install(...interpreter.packages))
  const found = yield* lookUp(interpreter)
  if (found === undefined) {
    process.stderr.write(`No ${interpreter.name}, so its tests are skipped: ${howToGet(interpreter)}\n`)
  }
  return found
})

/** The programs that run the guides' examples. On Debian, root gets them installed. A line names each missing one. */
export const findInterpreters = Effect.gen(function*() {
  return {
    python: yield* find(python),
    clientPython: yield* find(clientPython),
    java: yield* find(java),
    php: yield* find(php)
  }
})
