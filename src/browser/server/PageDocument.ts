import { Option } from "effect"
import { html, type Markup } from "../../platform/pages/Html.ts"
import { icon as ownIcon } from "../../platform/pages/Look.ts"
import { pageHeaders, pagePolicy, policyText } from "../../platform/pages/Page.ts"
import type { PageName } from "../build/place.ts"
import type { PageFiles } from "./PageFiles.ts"

/**
 * The headers of a page that runs in the browser. Its policy: it may run our scripts, ask us and the store of files, and
 * show images, videos and sounds of both. It may not use inline scripts or make HTML from text. `more` are further
 * directives.
 */
export const scriptedHeaders = (storage: Option.Option<string>, more: Readonly<Record<string, string>> = {}) => {
  const stored = Option.toArray(storage)
  const policy = {
    ...pagePolicy,
    "script-src": "'self'",
    "connect-src": ["'self'", ...stored].join(" "),
    "img-src": ["'self'", "blob:", "data:", ...stored].join(" "),
    "media-src": ["'self'", "blob:", ...stored].join(" "),
    "manifest-src": "'self'",
    "form-action": "'self'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
    ...more
  }
  return { ...pageHeaders, "cache-control": "no-cache", "content-security-policy": policyText(policy) }
}

/** The parts of a page's document beside the addresses of its files. */
export interface DocumentParts {
  readonly page: PageName
  /** The language until the script chooses the reader's. */
  readonly lang: string
  /** The site's name, in the title of a tab. */
  readonly name: string
  /** The address of the mark in a tab: ours unless it says otherwise. */
  readonly icon?: string
  /** Facts for the scripts, as attributes of the document. */
  readonly data?: Readonly<Record<string, string>>
  /** More for the head. */
  readonly head?: Markup
  /** For a browser without scripts. */
  readonly noScript: Markup
}

/** The document that a page runs in, whatever its address is. The first script would wait for sheets before it. */
export const documentFor = (
  { entry, start, style }: PageFiles["page"],
  { data = {}, head, icon = ownIcon.path, lang, name, noScript, page }: DocumentParts
): string =>
  html`<!doctype html>
<html lang="${lang}" data-page="${page}"${Object.entries(data).map(([key, value]) => html` data-${key}="${value}"`)}>
<head>
<meta charset="utf-8">
<title>${name}</title>
<meta name="application-name" content="${name}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="${icon}">
<script src="${start}"><${"/"}script>
<link rel="stylesheet" href="${style}">
${head}
<script type="module" src="${entry}"><${"/"}script>
</head>
<body>
<div id="page"></div>
<noscript>${noScript}</noscript>
</body>
</html>
`.text
