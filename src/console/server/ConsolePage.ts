import { documentFor } from "../../browser/server/PageDocument.ts"
import type { PageFiles } from "../../browser/server/PageFiles.ts"
import { html } from "../../platform/pages/Html.ts"

/** The page that the console runs in, whatever its address is. */
export const consolePage = (names: PageFiles["page"]): string =>
  documentFor(names, {
    page: "console",
    lang: "en",
    name: "Turma",
    noScript: html`<p>Turma's console needs JavaScript. The API and its command line do without: see /docs.</p>`
  })
