import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, outcome, send } from "../support/App.ts"

// Contract, Endpoints, and http-surface: what there is by now. A route that is not there answers 404, one that does
// not take the method 405.

const club = "/v1/clubs/0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a"
const id = "0190a000-0000-7000-8000-000000000001"

layer(AppLayer, { timeout: "60 seconds" })("A request without a session", (it) => {
  it.effect.each(
    [
      ["GET", "/v1/me"],
      ["PATCH", "/v1/me"],
      ["POST", "/v1/clubs"],
      ["POST", "/v1/invitations/accept"],
      ["GET", "/v1/auth/session"],
      ["DELETE", "/v1/auth/session"],
      ["GET", "/v1/auth/sessions"],
      ["DELETE", "/v1/auth/sessions"],
      ["DELETE", `/v1/auth/sessions/${id}`],
      ["POST", "/v1/auth/password/change"],
      ["POST", "/v1/auth/admin/password/change"],
      ["GET", club],
      ["PATCH", club],
      ["GET", `${club}/members`],
      ["PATCH", `${club}/members/${id}`],
      ["DELETE", `${club}/members/${id}`],
      ["GET", `${club}/members/invitations`],
      ["POST", `${club}/members/invitations`],
      ["DELETE", `${club}/members/invitations/${id}`],
      ["GET", `${club}/gamification`],
      ["PATCH", `${club}/gamification`],
      ["PUT", `${club}/gamification/levels`],
      ["GET", `${club}/students/${id}/points`],
      ["POST", `${club}/students/${id}/points`],
      ["GET", `${club}/classroom/gamification`],
      ["GET", `${club}/community`],
      ["PATCH", `${club}/community`],
      ["POST", `${club}/community/spaces`],
      ["PATCH", `${club}/community/spaces/${id}`],
      ["DELETE", `${club}/community/spaces/${id}`],
      ["PUT", `${club}/community/spaces/order`],
      ["GET", `${club}/deliveries`],
      ["POST", `${club}/deliveries`],
      ["GET", `${club}/deliveries/${id}`],
      ["PATCH", `${club}/deliveries/${id}`],
      ["DELETE", `${club}/deliveries/${id}`],
      ["GET", `${club}/deliveries/${id}/cohorts`],
      ["POST", `${club}/deliveries/${id}/cohorts`],
      ["GET", `${club}/deliveries/${id}/cohorts/${id}`],
      ["PATCH", `${club}/deliveries/${id}/cohorts/${id}`],
      ["DELETE", `${club}/deliveries/${id}/cohorts/${id}`],
      ["GET", `${club}/registration-links`],
      ["POST", `${club}/registration-links`],
      ["GET", `${club}/registration-links/${id}`],
      ["PATCH", `${club}/registration-links/${id}`],
      ["DELETE", `${club}/registration-links/${id}`],
      ["POST", `${club}/classroom/registrations`],
      ["GET", `${club}/students`],
      ["POST", `${club}/students`],
      ["GET", `${club}/students/${id}`],
      ["PATCH", `${club}/students/${id}`],
      ["DELETE", `${club}/students/${id}`],
      ["GET", `${club}/students/${id}/erasure`],
      ["POST", `${club}/students/${id}/grants`],
      ["GET", `${club}/enrollments/${id}`],
      ["POST", `${club}/enrollments/${id}/revoke`],
      ["POST", `${club}/enrollments/${id}/restore`],
      ["POST", `${club}/enrollments/${id}/extend`],
      ["POST", `${club}/enrollments/${id}/shorten`],
      ["POST", `${club}/enrollments/${id}/move`],
      ["POST", `${club}/students/imports`],
      ["GET", `${club}/students/imports`],
      ["GET", `${club}/students/imports/${id}`],
      ["GET", `${club}/students/imports/${id}/errors`],
      ["GET", `${club}/students/export.csv`],
      ["GET", `${club}/sales-platforms`],
      ["GET", `${club}/inbound-webhooks`],
      ["POST", `${club}/inbound-webhooks`],
      ["GET", `${club}/inbound-webhooks/${id}`],
      ["PATCH", `${club}/inbound-webhooks/${id}`],
      ["DELETE", `${club}/inbound-webhooks/${id}`],
      ["POST", `${club}/inbound-webhooks/${id}/rotate-token`],
      ["GET", `${club}/inbound-webhooks/${id}/events`],
      ["GET", `${club}/inbound-events/${id}`],
      ["POST", `${club}/inbound-events/${id}/reprocess`],
      ["GET", `${club}/product-mappings`],
      ["POST", `${club}/product-mappings`],
      ["GET", `${club}/product-mappings/${id}`],
      ["PATCH", `${club}/product-mappings/${id}`],
      ["DELETE", `${club}/product-mappings/${id}`],
      ["POST", `${club}/product-mappings/${id}/reprocess`],
      ["GET", `${club}/webhook-event-types`],
      ["GET", `${club}/webhook-endpoints`],
      ["POST", `${club}/webhook-endpoints`],
      ["GET", `${club}/webhook-endpoints/${id}`],
      ["PATCH", `${club}/webhook-endpoints/${id}`],
      ["DELETE", `${club}/webhook-endpoints/${id}`],
      ["POST", `${club}/webhook-endpoints/${id}/rotate-secret`],
      ["POST", `${club}/webhook-endpoints/${id}/test`],
      ["GET", `${club}/webhook-endpoints/${id}/deliveries`],
      ["GET", `${club}/webhook-endpoints/${id}/deliveries/${id}`],
      ["POST", `${club}/webhook-endpoints/${id}/deliveries/${id}/resend`],
      ["POST", `${club}/webhook-endpoints/${id}/recover`],
      ["GET", `${club}/webhook-endpoints/${id}/stats`],
      ["GET", `${club}/webhook-endpoints/${id}/diagnosis`],
      ["GET", `${club}/webhook-events/${id}`]
    ] as const
  )("to %s %s is turned away with 401", ([method, path]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* send(method, path)), [401, "unauthenticated"])
    }))

  it.effect.each([
    "/v1/auth/admin/sign-up",
    "/v1/auth/admin/confirm",
    "/v1/auth/admin/confirm/resend",
    "/v1/auth/admin/sign-in",
    "/v1/auth/admin/password/forgot",
    "/v1/auth/admin/password/reset",
    "/v1/auth/admin/exchange",
    "/v1/auth/sign-up",
    "/v1/auth/sign-in",
    "/v1/auth/confirm",
    "/v1/auth/confirm/resend",
    "/v1/auth/access",
    "/v1/auth/exchange",
    "/v1/auth/password/forgot",
    "/v1/auth/password/reset"
  ])("to POST %s needs none, only its fields", (path) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* send("POST", path, { body: {} })), [422, "validation_failed"])
    }))

  it.effect.each(["/v1/health", "/v1/health/ready", "/openapi.json", "/docs"])(
    "to GET %s needs none",
    (path) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send("GET", path)).status, 200)
      })
  )
})
