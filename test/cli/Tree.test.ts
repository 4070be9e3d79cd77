import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CliConfig, CliError, CliOutput, Command, Completions, Flag, GlobalFlag } from "effect/cli"
import { spawnSync } from "node:child_process"
import { eventTypeFlags, eventTypesIn } from "../../src/cli/flags/EventTypes.ts"
import { turma } from "../../src/cli/tree.ts"

interface Placed {
  readonly path: string
  readonly command: Command.Command.Any
}

const walk = (command: Command.Command.Any, above = ""): ReadonlyArray<Placed> => {
  const path = `${above} ${command.name}`.trim()
  const below = command.subcommands.flatMap(({ commands }) => commands.flatMap((one) => walk(one, path)))
  return [{ path, command }, ...below]
}

const every = walk(turma)

/** The words of a shell's line, in which only quotes are special. */
const wordsOf = (line: string) => [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll("\"", ""))

// A required flag that no call gives. The parser misses it after it has parsed all else, so no command ever runs.
const Never = GlobalFlag.Setting("never")({ flag: Flag.String("never-given") })
const parsedOnly = Command.runWith(Command.withGlobalFlags(turma, [Never]), { version: "0" })

const Silent = CliOutput.layerPresenter({ present: () => Effect.void })

/** The faults of a call in words. Undefined if the call can be parsed. */
const faultOf = (line: string) =>
  parsedOnly(wordsOf(line).slice(1)).pipe(
    Effect.as("It ran"),
    Effect.catch((error) => {
      const faults = CliError.isCliError(error) && error._tag === "ShowHelp" ? error.errors : []
      const [only] = faults
      const isParsed = faults.length === 1 && only?._tag === "MissingOption" && only.option === "never-given"
      return Effect.succeed(isParsed ? undefined : faults.map(({ message }) => message).join("; ") || String(error))
    })
  )

/** The flags that help shows, by the path of their command. */
const flagsOf = (command: Completions.CommandDescriptor, above = ""): ReadonlyArray<string> => {
  const path = `${above} ${command.name}`.trim()
  return [
    ...command.flags.map(({ name }) => `${path} --${name}`),
    ...command.subcommands.flatMap((one) => flagsOf(one, path))
  ]
}

layer(NodeServices.layer, { excludeTestServices: true })("Every command", (it) => {
  it.effect("says what it does and shows how it is called", () =>
    Effect.sync(() => {
      assert.isAbove(every.length, 40)
      assert.deepStrictEqual(
        every.filter(({ command }) => !command.description || command.examples.length === 0).map(({ path }) => path),
        []
      )
    }))

  it.effect("has examples of itself, which can be parsed", () =>
    Effect.gen(function*() {
      for (const { command, path } of every) {
        for (const example of command.examples) {
          assert.isTrue(example.command === path || example.command.startsWith(`${path} `), example.command)
          assert.isUndefined(yield* faultOf(example.command), example.command)
        }
      }
    }).pipe(Effect.provide([Silent, CliConfig.layer()])))

  it.effect("would be caught with an example that cannot be parsed", () =>
    Effect.gen(function*() {
      assert.include(yield* faultOf("turma students list --limt 3"), "--limt")
      assert.include(yield* faultOf("turma students show"), "id")
      assert.include(yield* faultOf("turma studens list"), "studens")
    }).pipe(Effect.provide([Silent, CliConfig.layer()])))

  it.effect("calls types of events the same", () =>
    Effect.sync(() => {
      const flags = flagsOf(Completions.fromCommand(turma)).filter((flag) => /--.*(?:event|types?$)/.test(flag))
      assert.sameMembers(flags, [
        "turma webhooks endpoints create --event",
        "turma webhooks deliveries list --event",
        "turma webhooks listen --event"
      ])
    }))

  it.effect("takes them one by one or with commas between them, and by their former name", () =>
    Effect.gen(function*() {
      const seen: Array<ReadonlyArray<string>> = []
      const taking = Command.make(
        "taking",
        { types: eventTypeFlags("Types") },
        ({ types }) => Effect.sync(() => void seen.push(eventTypesIn(types)))
      )
      const run = Command.runWith(taking, { version: "0" })
      for (const line of ["", "-e a --event b", "--event a,b", "--events a,b"]) yield* run(wordsOf(line))
      assert.deepStrictEqual(seen, [[], ["a", "b"], ["a", "b"], ["a", "b"]])
    }).pipe(Effect.provide([Silent, CliConfig.layer()])))

  it.effect("is completed by the shell", () =>
    Effect.sync(() => {
      const script = Completions.generate("turma", "bash", Completions.fromCommand(turma))
      const complete = (...words: ReadonlyArray<string>) => {
        const quoted = words.map((word) => `'${word}'`).join(" ")
        const line = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; COMP_LINE='${words.join(" ")}'; ` +
          "COMP_POINT=${#COMP_LINE}"
        const call = "$(complete -p turma | sed -E 's/.*-F ([^ ]+).*/\\1/') turma"
        const { stderr, stdout } = spawnSync("bash", [
          "-c",
          `${script}\n${line}; ${call}; printf '%s\\n' "\${COMPREPLY[@]}"`
        ], {
          encoding: "utf8"
        })
        assert.strictEqual(stderr, "")
        return stdout.trim().split("\n")
      }
      assert.deepStrictEqual(complete("turma", "stud"), ["students"])
      assert.includeMembers(complete("turma", "webhooks", ""), ["endpoints", "deliveries", "tail", "listen"])
      assert.deepStrictEqual(complete("turma", "webhooks", "endpoints", "dis"), ["disable"])
      assert.include(complete("turma", "students", "list", "--"), "--search")
      for (const shell of ["zsh", "fish"] as const) {
        assert.include(Completions.generate("turma", shell, Completions.fromCommand(turma)), "students")
      }
    }))
})
