import type { Summary } from "./Simulation.ts"

/** What comes about at least once in any so many seeds. */
interface Sure {
  readonly seeds: number
  readonly what: ReadonlyArray<string>
}

/**
 * What must come about, as `Checks` counts it: a rule about what never does is kept by everybody. Each file of tests sees
 * to its own share of the seeds, of which 16 leave it four, and 200 fifty. What three seeds of four tell of stands with the
 * few, what one of five does with the many: so a share tells of it although its stories have changed.
 */
const mustComeAbout: ReadonlyArray<Sure> = [
  {
    seeds: 4,
    what: [
      "all diagnosed",
      "diagnosed",
      "disabled, failing",
      "feed read",
      "grading begun",
      "grading begun anew",
      "grading done",
      "grading interrupted",
      "hold",
      "killed",
      "pending to canceled endpoint_disabled",
      "pending to pending by schedule",
      "pending to pending by test",
      "pending to succeeded by schedule",
      "pending to succeeded by test",
      "recovery made",
      "succeeded to succeeded",
      "told that a secret ends",
      "told that it is held"
    ]
  },
  {
    seeds: 50,
    what: [
      "canceled to canceled endpoint_disabled",
      "canceled to pending",
      "diagnosed, not found",
      "disabled, failing, by time alone",
      "failed to failed",
      "failed to pending",
      "failed* to failed by manual",
      "feed read by one that dies",
      "grading endpoint_changed",
      "inbox read",
      "pending to canceled endpoint_deleted",
      "pending to canceled student_removed",
      "pending to failed by recover",
      "pending to failed by schedule",
      "pending to pending",
      "pending to pending by manual",
      "pending to succeeded by recover",
      "recovery made of many",
      "rotation refused",
      "stood still",
      "succeeded* to failed by manual",
      "succeeded* to succeeded by manual",
      "told that it is disabling",
      "told that it is recovered"
    ]
  }
]

/** What of it came about in none of these simulations. */
export const missingIn = (told: ReadonlyArray<Pick<Summary, "seen">>): ReadonlyArray<string> => {
  const seen = new Set(told.flatMap((one) => Object.keys(one.seen)))
  return mustComeAbout.filter(({ seeds }) => told.length >= seeds)
    .flatMap(({ what }) => what.filter((name) => !seen.has(name)))
}
