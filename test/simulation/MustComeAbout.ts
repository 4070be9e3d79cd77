import type { Summary } from "./Simulation.ts"

/** Events that happen at least once in this number of seeds. */
interface Sure {
  readonly seeds: number
  readonly what: ReadonlyArray<string>
}

/**
 * Events that must happen, as `Checks` counts them: a rule about an event that never happens proves nothing. Each file
 * of tests checks its own share of the seeds: 4 of 16, or 50 of 200. An event seen with three seeds of four belongs to
 * the 4, and one seen with one of five to the 50. So a share still sees it after its stories have changed.
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

/** The events that must happen and did not happen in these simulations. */
export const missingIn = (told: ReadonlyArray<Pick<Summary, "seen">>): ReadonlyArray<string> => {
  const seen = new Set(told.flatMap((one) => Object.keys(one.seen)))
  return mustComeAbout.filter(({ seeds }) => told.length >= seeds)
    .flatMap(({ what }) => what.filter((name) => !seen.has(name)))
}
