import { Effect, Logger } from "effect"
import { sealedRows } from "../../App.ts"
import { examine } from "../../operations/doctor/Doctor.ts"
import { type Finding, ok, problem, warning } from "../../operations/doctor/Finding.ts"
import { sayUnknown } from "../../platform/config/UnknownVariables.ts"
import { QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { outputForm, printRows, terminalLook } from "../output/Print.ts"
import { type Column, makeTable, type Tone } from "../output/Table.ts"
import { write } from "../output/Write.ts"
import { checkSettings } from "../settings/Settings.ts"
import { unknownHere } from "../settings/unknown.ts"

const settings = checkSettings.pipe(
  Effect.as([ok("Settings", "every variable is what it must be")]),
  Effect.catchTag(
    "SettingsError",
    ({ errors }) =>
      Effect.succeed(errors.map(({ message, variable }) =>
        problem(variable, message, "See npx turma settings, and the guide to configuration")
      ))
  )
)

const unknown = Effect.map(
  unknownHere,
  (found) =>
    found.map((one) => warning(one.variable, sayUnknown(one), "Correct its name, or unset it: see npx turma settings"))
)

const tones: Readonly<Record<string, Tone>> = { ok: "good", warning: "waiting", problem: "bad" }

const columns: ReadonlyArray<Column<Finding>> = [
  { title: "STATE", value: ({ state }) => state, tone: (state) => tones[state] ?? "plain" },
  { title: "WHAT", value: ({ subject }) => subject },
  { title: "FOUND", value: ({ says }) => says }
]

/** Whole sentences, however narrow the terminal is, and under each what to do. */
const printForPeople = Effect.fnUntraced(function*(findings: ReadonlyArray<Finding>) {
  const { colour } = yield* terminalLook
  const table = makeTable(columns, { width: 0, colour })
  yield* write(table.head(findings))
  for (const finding of findings) {
    yield* write(table.body([finding]))
    if (finding.advice !== null) yield* write(`         ${harmlessLine(finding.advice)}\n`)
  }
})

/** `turma doctor`: says how all is and what to do; fails with 1 where something is a problem. */
export const doctor = Effect.gen(function*() {
  const findings = [...yield* settings, ...yield* unknown, ...yield* examine(sealedRows)]
  if ((yield* outputForm) === "table") yield* printForPeople(findings)
  else yield* printRows([...columns, { title: "", value: ({ advice }) => advice ?? "" }], findings, "")
  if (findings.some(({ state }) => state === "problem")) {
    return yield* new QuietEnd({ exit_code: exitCodes.failed.code })
  }
}).pipe(Effect.provide(Logger.layer([])))
