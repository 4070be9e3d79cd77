import { Cause, Exit, Schema, Tracer } from "effect"

/** What a collector learns of a request that failed; the log has the cause. */
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

/** Both together tell a person from others, whoever that is. */
const ofPersons = ["client.address", "user_agent.original"]

const unsaid = new Set([...urls, ...ofPersons])

/** Names the span of a request for its route, `POST /v1/clubs`, and keeps out every URL and who asked from where. */
export const withRoutes = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(options)
      const setAttribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (unsaid.has(key)) return
          if (key === "http.route") Object.assign(span, { name: `${options.name} ${value}` })
          setAttribute(key, value)
        },
        end: (time: bigint, exit: Exit.Exit<unknown, unknown>) =>
          end(time, options.kind === "server" ? withoutPath(exit) : exit)
      })
    }
  })
