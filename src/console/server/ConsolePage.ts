import { Option } from "effect"
import { html } from "../../platform/pages/Html.ts"
import { icon } from "../../platform/pages/Look.ts"
import { pageHeaders, pagePolicy, policyText } from "../../platform/pages/Page.ts"
import type { ConsoleFiles } from "./ConsoleFiles.ts"

/**
 * The console's policy. It may run our scripts, ask us and the store of files, and show images. It may not use inline
 * scripts or make HTML from text.
 */
const policyFor = (storage: Option.Option<string>) =>
  policyText({
    ...pagePolicy,
    "script-src": "'self'",
    "connect-src": ["'self'", ...Option.toArray(storage)].join(" "),
    "img-src": ["'self'", "blob:", "data:", ...Option.toArray(storage)].join(" "),
    "media-src": ["'self'", "blob:", ...Option.toArray(storage)].join(" "),
    "manifest-src": "'self'",
    "form-action": "'self'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'"
  })

/** The headers of the console's page, which asks this origin for files beside our own. */
export const consoleHeaders = (storage: Option.Option<string>) => ({
  ...pageHeaders,
  "cache-control": "no-cache",
  "content-security-policy": policyFor(storage)
})

/** The page that the console runs in, whatever its address is. */
export const consolePage = ({ entry, preloads, start, style }: ConsoleFiles["page"]): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Turma</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="${icon.path}">
<link rel="stylesheet" href="${style}">
<script src="${start}"><${"/"}script>
${preloads.map((preload) => html`<link rel="modulepreload" href="${preload}">\n`)}
<script type="module" src="${entry}"><${"/"}script>
</head>
<body>
<div id="console"></div>
<noscript><p>Turma's console needs JavaScript. The API and its command line do without: see /docs.</p></noscript>
</body>
</html>
`.text
