import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Said, Wanted } from "../operations/documentation/Documentation.ts"
import { makeSite } from "../operations/documentation/Site.ts"
import { serversAt } from "../platform/http/document/Servers.ts"
import { ownText } from "../platform/text/Utf8.ts"
import { bundleFolder } from "./bundle/place.js"

// The program of the process that makes the documentation, and hands it to the service that has started it.

const say = (said: Said) => process.send?.(said)

const { baseUrl, first }: Wanted = JSON.parse(process.argv[3] ?? "")

/** The bundle has it made: to make it takes half of the time until somebody sees the first page. */
const bundled = join(bundleFolder(), "openapi.json")
const contract: object = existsSync(bundled)
  ? JSON.parse(ownText(readFileSync(bundled)))
  : (await import("./bundle/contractDocument.ts")).contractDocument

const document = JSON.stringify({ ...contract, servers: serversAt(new URL(baseUrl)) })
say({ rest: makeSite({ document, baseUrl, first }, (file) => say({ file })) })
