/** Statuses without a body (RFC 9110, 6.4.1). */
const bodiless = new Set([204, 205, 304])

const received = JSON.stringify({ data: { received: true } })

const refused = JSON.stringify({ error: { code: "as_told", message: "This inbox is set to answer like this" } })

/**
 * The body of an inbox's answer with this status: always the same, and nothing of the request. Null for a status
 * without a body.
 */
export const answerBody = (status: number): string | null => {
  if (bodiless.has(status)) return null
  return status < 400 ? received : refused
}
