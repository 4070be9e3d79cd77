import { isBad } from "../../webhooks/workbench/grader/ProbeName.ts"
import type { Finding, Observation, Report } from "../../webhooks/workbench/grader/Report.ts"
import { harmless, harmlessLine } from "../output/Harmless.ts"
import { type Column, fitted, makeTable } from "../output/Table.ts"

/** Columns that the beginning of an answer may have. */
const answerWidth = 60

const columns: ReadonlyArray<Column<Observation>> = [
  { title: "PROBE", value: ({ probe }) => probe },
  { title: "EXPECTED", value: ({ probe }) => isBad(probe) ? "refused" : "taken" },
  { title: "ANSWERED", value: ({ error, status_code }) => `${status_code ?? error ?? ""}` },
  { title: "MS", value: ({ duration_ms }) => `${duration_ms}` },
  { title: "ANSWER", value: ({ response_body }) => fitted(harmlessLine(response_body ?? ""), answerWidth) }
]

const table = (observations: ReadonlyArray<Observation>) => {
  const { body, head } = makeTable(columns, { width: 0, colour: false })
  return head(observations) + body(observations)
}

const sentence = ({ message, probes, severity }: Finding) =>
  `${severity}: ${message}\n  shown by ${probes.join(", ")}\n`

const repeats: Record<Report["dedupes"], string> = {
  told: "It says that it knows what it has had.",
  forgets: "It says of a repeat that it has not had it.",
  unknown: "It does not say if it drops repeats: it may answer one with turma-seen: 1."
}

/** A report in plain lines: the grade, what is wrong, and what came of each probe. */
export const gradedText = (url: string, { dedupes, findings, grade, observations }: Report): string =>
  [
    harmless(`Grade ${grade}: ${url}\n`),
    findings.length === 0 ? "Nothing is wrong.\n" : findings.map(sentence).join(""),
    `${repeats[dedupes]}\n\n`,
    table(observations)
  ].join("")
