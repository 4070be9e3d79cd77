/** Statuses without a body (RFC 9110, 6.4.1). */
const bodiless = new Set([204, 205, 304])

const received = JSON.stringify({ data: { received: true } })

const refused = JSON.stringify({ error: { code: "as_told", message: "This inbox is set to answer like this" } })

/** What an inbox says with a status: always the same, and nothing of the request. Null where that status has no body. */
export const answerBody = (status: number): string | null => {
  if (bodiless.has(status)) return null
  return status < 400 ? received : refused
}
