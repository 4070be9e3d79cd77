import { OpenApi } from "effect/http-api"
import { Api } from "../Api.ts"
import type { Said, Wanted } from "../operations/documentation/Documentation.ts"
import { makeSite } from "../operations/documentation/Site.ts"
import { servedAt } from "../platform/http/document/Servers.ts"

// What a process runs for a moment that makes the documentation, and hands it to the service that has started it.

const say = (said: Said) => process.send?.(said)

const { baseUrl, first }: Wanted = JSON.parse(process.argv[3] ?? "")
const document = JSON.stringify(OpenApi.fromApi(servedAt(Api, new URL(baseUrl))))
say({ rest: makeSite({ document, baseUrl, first }, (file) => say({ file })) })
