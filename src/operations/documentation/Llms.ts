import type { ApiDocument, Group } from "./ApiDocument.ts"
import { sentence } from "./FieldText.ts"
import { type Guide, guidePath } from "./GuideFiles.ts"
import { eventLink, eventsPath, joined, operationLink } from "./OperationText.ts"
import { capital } from "./Shell.ts"

// The first text for language models, in the format of https://llmstxt.org.

const summary =
  "> The API of a learning-community platform: clubs that administrators run from a dashboard and students use in a classroom, with courses, a community, an assistant, sales, billing, and signed webhooks to a club's own systems."

const guideLink = (guide: Guide, baseUrl: string) =>
  `- [${guide.title}](${baseUrl}${guidePath(guide)}): ${sentence(capital(guide.summary))}`

/** Where everything is: the guides, the operations by group, the types of events, each as Markdown. */
export const llmsText = (
  document: ApiDocument,
  guides: ReadonlyArray<Guide>,
  groups: ReadonlyArray<Group>,
  baseUrl: string
): string =>
  joined(
    "# Turma",
    summary,
    `Everything is below ${baseUrl}. Every link leads to Markdown: a guide, one operation, or one type of event. The same for browsers is at ${baseUrl}/docs.`,
    "## Guides",
    guides.map((guide) => guideLink(guide, baseUrl)).join("\n"),
    ...groups.flatMap(({ name, sections }) => [
      `## Operations: ${name}`,
      sections.flatMap(({ operations }) => operations).map((one) => operationLink(one, baseUrl)).join("\n")
    ]),
    "## Events",
    Object.keys(document.webhooks).map((type) => eventLink(document, type, baseUrl)).join("\n"),
    "## Optional",
    [
      `- [OpenAPI document](${baseUrl}/openapi.json): The whole contract, for generators and tools.`,
      `- [Every guide](${baseUrl}/llms-full.txt): All guides in one text.`,
      `- [Events](${baseUrl}${eventsPath}): The headers that every event is sent with.`
    ].join("\n")
  )
