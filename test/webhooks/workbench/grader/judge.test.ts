import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { AttemptError } from "../../../../src/webhooks/model/AttemptError.ts"
import { judge } from "../../../../src/webhooks/workbench/grader/judge.ts"
import { isBad, type ProbeName, probeNames } from "../../../../src/webhooks/workbench/grader/ProbeName.ts"
import { Grade, Observation, Report } from "../../../../src/webhooks/workbench/grader/Report.ts"

const accepted = (probe: ProbeName): Observation => ({
  probe,
  status_code: 200,
  error: null,
  duration_ms: 5,
  connection_reused: true,
  seen: null,
  response_body: null
})
const refused = (probe: ProbeName, status_code = 400): Observation => ({
  ...accepted(probe),
  status_code,
  error: status_code < 400 ? "redirect" : "http_status"
})
const silent = (probe: ProbeName, error: AttemptError): Observation => ({
  ...accepted(probe),
  status_code: null,
  error
})

const perfect = probeNames.map((name) => isBad(name) ? refused(name) : accepted(name))
const but = (...others: ReadonlyArray<Observation>) =>
  perfect.map((one) => others.find(({ probe }) => probe === one.probe) ?? one)
const codes = (observations: ReadonlyArray<Observation>) => judge(observations).findings.map(({ code }) => code)
const worse = (one: Grade, other: Grade) => Grade.literals.indexOf(one) >= Grade.literals.indexOf(other)

const good = probeNames.filter((name) => !isBad(name))
const bad = probeNames.filter((name) => isBad(name))

describe("A grading", () => {
  it("finds nothing in a receiver that accepts what is right and refuses what is wrong", () => {
    const report = judge(perfect)
    assert.deepStrictEqual([report.grade, report.findings, report.dedupes], ["A", [], "unknown"])
  })

  it.each([
    ["wrong_signature", "accepts_wrong_signature", "E"],
    ["unsigned", "accepts_unsigned", "E"],
    ["other_body", "accepts_other_body", "E"],
    ["old", "accepts_old", "C"],
    ["future", "accepts_future", "C"]
  ] as const)("finds that %s is accepted", (probe, code, grade) => {
    assert.deepStrictEqual(codes(but(accepted(probe))), [code])
    assert.strictEqual(judge(but(accepted(probe))).grade, grade)
  })

  it.each([
    ["right", "refuses_right_deliveries", "C"],
    ["repeated", "refuses_repeated", "C"],
    ["later_first", "refuses_reordered", "C"],
    ["earlier_second", "refuses_reordered", "C"],
    ["unknown_fields", "breaks_on_unknown_fields", "C"],
    ["unusual_json", "verifies_rewritten_json", "C"],
    ["large", "refuses_large", "B"],
    ["rotated", "refuses_rotated", "C"]
  ] as const)("finds that %s is refused", (probe, code, grade) => {
    assert.deepStrictEqual(codes(but(refused(probe, 500))), [code])
    assert.strictEqual(judge(but(refused(probe, 500))).grade, grade)
  })

  it("says whether the newest secret is known, unless nothing shows it", () => {
    const known = (...others: ReadonlyArray<Observation>) => judge(but(...others)).newest_secret
    assert.strictEqual(known(), "proved")
    assert.strictEqual(known(refused("newest_alone", 401)), "lacking")
    assert.deepStrictEqual(codes(but(refused("newest_alone", 401))), ["lacks_newest_secret"])
    assert.strictEqual(known(silent("newest_alone", "timeout")), "unknown")
    assert.strictEqual(known(accepted("wrong_signature")), "unknown")
    assert.strictEqual(known(silent("wrong_signature", "timeout")), "unknown")
    assert.strictEqual(known(refused("newest_alone", 429)), "unknown")
    assert.strictEqual(known(refused("wrong_signature", 503)), "unknown")
    assert.strictEqual(known(refused("right"), refused("newest_alone")), "unknown")
    assert.strictEqual(judge(perfect.filter(({ probe }) => probe !== "newest_alone")).newest_secret, "unknown")
  })

  it("calls one that takes everything by that alone", () => {
    const report = judge(probeNames.map(accepted))
    assert.deepStrictEqual([report.findings.map(({ code }) => code), report.grade], [["verifies_nothing"], "F"])
  })

  it("names each where all but one that is to be refused are accepted", () => {
    const report = judge(but(...bad.filter((name) => name !== "future").map(accepted)))
    const named = ["accepts_wrong_signature", "accepts_unsigned", "accepts_other_body", "accepts_old"]
    assert.deepStrictEqual(report.findings.map(({ code }) => code), named)
  })

  it("tells the worst first, and grades two errors lower than one", () => {
    const unkept = { connection_reused: false }
    const report =
      judge(but(refused("repeated"), refused("large"), { ...accepted("right"), duration_ms: 6000 }, refused("rotated"))
        .map((one) => ({ ...one, ...unkept })))
    assert.deepStrictEqual(report.findings.map(({ severity }) => severity), [
      "error",
      "error",
      "warning",
      "warning",
      "advice"
    ])
    assert.deepStrictEqual([report.grade, judge(but(refused("repeated"))).grade], ["D", "C"])
  })

  it("tells one that refuses everything so, and accuses it of nothing else", () => {
    const report = judge(probeNames.map((name) => refused(name, 401)))
    assert.deepStrictEqual(report.findings.map(({ code, probes }) => [code, probes]), [[
      "refuses_right_deliveries",
      good
    ]])
    assert.strictEqual(report.grade, "F")
  })

  it("says of one that never answers only that, and why", () => {
    for (const error of ["dns", "connection", "tls", "timeout", "address_not_allowed", "protocol"] as const) {
      const report = judge(probeNames.map((name) => silent(name, error)))
      assert.deepStrictEqual(report.findings.map(({ code }) => code), ["not_reached"])
      assert.include(report.findings[0]?.message ?? "", error)
      assert.strictEqual(report.grade, "F")
    }
  })

  it("does not blame a redirect, a lost connection or a slow answer on what was sent", () => {
    assert.deepStrictEqual(codes(perfect.map((one) => isBad(one.probe) ? one : refused(one.probe, 302))), ["redirects"])
    assert.deepStrictEqual(codes(but(silent("large", "connection"))), ["ends_connection"])
    assert.deepStrictEqual(codes(but(silent("right", "timeout"))), ["no_answer_in_time"])
    assert.deepStrictEqual(codes(but({ ...accepted("right"), duration_ms: 5001 })), ["slow"])
    assert.deepStrictEqual(codes(but({ ...accepted("right"), duration_ms: 5000 })), [])
  })

  it.each([429, 503])("takes an answer of %i to show nothing but that", (status) => {
    for (const probe of good) assert.deepStrictEqual(codes(but(refused(probe, status))), ["was_busy"], probe)
    const limited = judge(probeNames.map((name, index) => index < 2 ? accepted(name) : refused(name, status)))
    assert.deepStrictEqual(limited.findings.map(({ code }) => code), ["signatures_unknown", "was_busy"])
    assert.strictEqual(limited.grade, "C")
    assert.deepStrictEqual(codes(but(refused("old", status))), ["was_busy"])
    const busy = judge(probeNames.map((name) => refused(name, name === "large" ? 413 : isBad(name) ? 400 : status)))
    assert.deepStrictEqual(busy.findings.map(({ code }) => code), ["refuses_large", "was_busy"])
    assert.strictEqual(judge(probeNames.map((name) => refused(name, status))).grade, "F")
  })

  it("says that nothing shows whether signatures are verified where nothing does, and accuses of nothing else", () => {
    for (const error of ["timeout", "dns"] as const) {
      assert.deepStrictEqual(codes(but(...bad.map((name) => silent(name, error)))), ["signatures_unknown"])
    }
    assert.deepStrictEqual(codes(good.map(accepted)), ["signatures_unknown"])
    const one = but(...bad.filter((name) => name !== "old").map((name) => silent(name, "timeout")))
    assert.deepStrictEqual(codes(one), [])
  })

  it("names an address that comes and goes, and blames nothing else on it", () => {
    assert.deepStrictEqual(codes(but(silent("large", "dns"))), ["no_address"])
    assert.deepStrictEqual(codes(but(silent("rotated", "address_not_allowed"))), ["private_address"])
  })

  it("takes a wrong delivery to be refused where the connection was ended", () => {
    assert.deepStrictEqual(codes(but(...bad.map((name) => silent(name, "connection")))), [])
  })

  it("knows of repeats what it is told, and never calls silence wrong", () => {
    const told = judge(but({ ...accepted("repeated"), seen: true }))
    assert.deepStrictEqual([told.dedupes, told.findings], ["told", []])
    const forgets = judge(but({ ...accepted("repeated"), seen: false }))
    assert.deepStrictEqual([forgets.dedupes, forgets.findings.map(({ code }) => code), forgets.grade], [
      "forgets",
      ["forgets_repeats"],
      "B"
    ])
    assert.deepStrictEqual(codes(but({ ...accepted("right"), seen: false })), [])
    assert.deepStrictEqual(codes(but({ ...refused("repeated"), seen: false })), ["refuses_repeated"])
    assert.deepStrictEqual(codes(but({ ...accepted("right"), seen: true })), ["calls_first_repeated"])
  })

  it("advises to keep connections, and lowers no grade for it", () => {
    const report = judge(perfect.map((one) => ({ ...one, connection_reused: false })))
    assert.deepStrictEqual([report.findings.map(({ code }) => code), report.grade], [["connections_not_reused"], "A"])
    assert.deepStrictEqual(codes(perfect.map((one) => ({ ...one, connection_reused: null }))), [])
    const anew = (count: number) =>
      perfect.map((one, index) => ({ ...one, connection_reused: index < count ? false : null }))
    assert.deepStrictEqual([codes(anew(2)), codes(anew(3))], [[], ["connections_not_reused"]])
    const long = { connection_reused: false, response_body: "é".repeat(1024) }
    assert.deepStrictEqual(codes(perfect.map((one) => ({ ...one, ...long }))), [])
  })

  const outcomes = Schema.Array(Schema.Struct({ ...Observation.fields, probe: Schema.Literals(["right"]) }))

  it.prop("answers whatever was seen, and blames each finding on a probe that was sent", [outcomes], ([seen]) => {
    const observations = probeNames.flatMap((probe, index) => {
      const one = seen[index]
      if (one === undefined) return []
      const error = one.status_code === null
        ? one.error ?? "connection"
        : one.status_code >= 200 && one.status_code < 300
        ? null
        : "http_status" as const
      return [{ ...one, probe, error }]
    })
    const report = judge(observations)
    assert.isTrue(Schema.is(Report)(report))
    for (const { message, probes } of report.findings) {
      assert.isAbove(probes.length, 0)
      assert.isAbove(message.length, 10)
      for (const probe of probes) assert.isTrue(observations.some((one) => one.probe === probe))
    }
    const clean = report.findings.every(({ severity }) => severity === "advice")
    assert.strictEqual(
      report.grade === "A",
      clean && observations.some((one) => !isBad(one.probe) && one.error === null)
    )
  })

  it.prop("never gets better by a fault more", [Schema.Array(Schema.Boolean), Schema.Boolean], ([faults]) => {
    const flip = (one: Observation) => isBad(one.probe) ? accepted(one.probe) : refused(one.probe, 500)
    const with_ = perfect.map((one, index) => faults[index] === true ? flip(one) : one)
    const before = judge(with_)
    for (const [index, one] of perfect.entries()) {
      if (faults[index] === true) continue
      const more = judge(with_.map((same, at) => at === index ? flip(one) : same))
      assert.isTrue(worse(more.grade, before.grade), `${one.probe}: ${before.grade} to ${more.grade}`)
    }
  })
})
