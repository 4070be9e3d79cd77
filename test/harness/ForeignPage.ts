import { createServer } from "node:http"
import { listening } from "./Listening.ts"

/** The port of an empty page that anybody may make. */
export const foreignPort = listening(createServer((_, response) => {
  response.setHeader("content-type", "text/html")
  response.end("<!doctype html><title>Elsewhere</title><link rel=icon href=data:,><body>")
}))

/** The hosts of such a page: another site, and the same site at another port or in a subdomain. */
export const foreignHosts = ["127.0.0.1", "localhost", "evil.localhost"]
