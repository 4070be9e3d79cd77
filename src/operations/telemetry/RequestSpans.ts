import { Cause, Exit, Schema, Tracer } from "effect"
import { changeSpan } from "../../platform/patches/SpanChanges.ts"

/** The error of a failed request for a collector; the log has the cause. */
class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", {}) {
  override get message(): string {
    return "The request failed"
  }
}

// The message of the original names the path.
const withoutPath = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? exit : Exit.fail(new RequestFailed())

/** A path or a query may hold a token, as that of a mailed link which points at the API itself. */
const urls = ["url.full", "url.path", "url.query"]

/** Both together tell an unknown person from others. */
const ofPersons = ["client.address", "user_agent.original"]

const unsaid = new Set([...urls, ...ofPersons])

/** Names the span of a request for its route, `POST /v1/clubs`, and keeps out every URL and who asked from where. */
export const withRoutes = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) =>
      changeSpan(tracer.span(options), {
        keeps: (key) => !unsaid.has(key),
        name: (key, value) => key === "http.route" ? `${options.name} ${value}` : undefined,
        exit: (exit) => options.kind === "server" ? withoutPath(exit) : exit
      })
  })
