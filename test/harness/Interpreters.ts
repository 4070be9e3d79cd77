import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { install, mayInstall } from "./Packages.ts"

/** A language for which tests run the guides' examples, and the way to get its interpreter. */
interface Interpreter {
  readonly name: string
  /** Names of the program. The first one found is used. */
  readonly programs: ReadonlyArray<string>
  /** Arguments that succeed if the examples' modules exist. */
  readonly probe: ReadonlyArray<string>
  /** Packages of Debian to install. */
  readonly packages: ReadonlyArray<string>
  /** The environment variable that names another program. */
  readonly variable: string
}

const python: Interpreter = {
  name: "Python",
  // Debian's own first, because only it sees the packages that Debian installed.
  programs: ["/usr/bin/python3", "python3"],
  probe: ["-c", "import dateutil, sqlite3"],
  packages: ["python3", "python3-dateutil"],
  variable: "TEST_PYTHON"
}

/** The same with the modules that a generated client needs. */
const clientPython: Interpreter = {
  ...python,
  name: "Python with urllib3 and certifi",
  probe: ["-c", "import certifi, dateutil, six, urllib3"],
  packages: ["python3", "python3-certifi", "python3-dateutil", "python3-six", "python3-urllib3"]
}

/** The program that runs the generator of that client. */
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

/** The advice for a machine without an interpreter. */
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

/** The programs that run the guides' examples. On Debian, root installs them. A line names each missing one. */
export const findInterpreters = Effect.gen(function*() {
  return {
    python: yield* find(python),
    clientPython: yield* find(clientPython),
    java: yield* find(java),
    php: yield* find(php)
  }
})
