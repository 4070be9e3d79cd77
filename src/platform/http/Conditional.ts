import { HttpApiMiddleware } from "effect/http-api"

/**
 * For reads that are asked again and again and seldom change: `.middleware(Conditional)`. Answers have an `ETag`, and a
 * request whose `If-None-Match` names it gets 304 without a body. A browser does that by itself: `Cache-Control: private,
 * no-cache`. Not beside `NoStore`.
 */
export class Conditional extends HttpApiMiddleware.Service<Conditional>()("turma/platform/http/Conditional") {}
