import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, type Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { seenOf } from "../../webhooks/send/seenOf.ts"
import { judge } from "../../webhooks/workbench/grader/judge.ts"
import type { Probe } from "../../webhooks/workbench/grader/Probe.ts"
import type { Report } from "../../webhooks/workbench/grader/Report.ts"
import { type Heard, runProbes } from "../../webhooks/workbench/grader/runProbes.ts"
import { QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { harmlessJson } from "../output/Harmless.ts"
import { write, writeLine } from "../output/Write.ts"
import { gradedText } from "./gradedText.ts"
import { httpTarget, requiredSecret } from "./Input.ts"
import { type Posted, postOnce } from "./postOnce.ts"

/** What to grade. */
export interface ToGrade {
  readonly url: string
  readonly secret: Option.Option<Redacted.Redacted>
  /** The report as JSON. */
  readonly json: boolean
}

const errorOf = (status: number) => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? "redirect" : "http_status"
}

const heardOf = (posted: Posted): Heard => {
  // Each probe has a connection of its own: nothing is known of keeping them.
  const nothing = { connection_reused: null, response_body: null, seen: null, status_code: null }
  if (posted.error !== null) return { ...nothing, error: posted.error }
  const { body, response: { headers, status } } = posted
  return {
    ...nothing,
    error: errorOf(status),
    response_body: body,
    seen: seenOf(headers["turma-seen"]) ?? null,
    status_code: status
  }
}

const isGood = ({ grade }: Report) => grade === "A" || grade === "B"

/**
 * Sends the probes of a grading from this machine, signed with the secret, and prints what they show. Ends with exit code 1
 * where something is wrong, warnings aside.
 */
export const grade = Effect.fnUntraced(function*({ json, secret, url }: ToGrade) {
  const target = yield* httpTarget("url", url)
  const key = Redacted.value(yield* requiredSecret(secret))
  const http = yield* HttpClient.HttpClient
  const random = yield* SecureRandom.SecureRandom
  const newId = Effect.orDie(random.uuidV4())
  const ground = {
    grading_id: yield* newId,
    club_id: OrganizationId.make(yield* newId),
    endpoint_id: yield* newId,
    signers: { secrets: [key], keys: [] }
  }
  const send = (probe: Probe) => Effect.map(postOnce(http, target, probe), ({ posted }) => heardOf(posted))
  const report = judge(yield* runProbes(ground, send))
  yield* json ? writeLine(harmlessJson(JSON.stringify(report))) : write(gradedText(target, report))
  if (!isGood(report)) return yield* new QuietEnd({ exit_code: exitCodes.failed.code })
}, Effect.provide([NodeHttpClient.layerNodeHttpOptions({ keepAlive: false }), SecureRandom.layerWebCrypto]))
