/** An expected failure. The error handler answers it as `{ "error": { "code", "message" } }`. */
export class Refusal extends Error {
  readonly statusCode: number
  readonly code: string

  constructor(statusCode: number, code: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.code = code
  }
}

export const unauthenticated = () => new Refusal(401, "unauthenticated", "The session is missing, expired or revoked")
export const forbidden = () => new Refusal(403, "forbidden", "The session cannot act here")
export const rateLimited = () =>
  new Refusal(429, "rate_limited", "Too many requests: try again after as many seconds as Retry-After says")
export const notFound = () => new Refusal(404, "not_found", "There is no such thing here")
export const studentRemoved = () => new Refusal(409, "student_removed", "The student was removed")
