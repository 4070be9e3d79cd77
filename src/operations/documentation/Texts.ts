import type { ApiDocument, Group } from "./ApiDocument.ts"
import { type Guide, guidePath, guideText } from "./GuideFiles.ts"
import { llmsText } from "./Llms.ts"
import {
  eventPath,
  eventsPath,
  eventsText,
  eventText,
  joined,
  operationPath,
  operationText,
  sectionPath,
  sectionText
} from "./OperationText.ts"

/** A text of Markdown that is written when its turn comes. */
export interface MarkdownText {
  readonly address: string
  readonly text: () => string
}

/** The same as the pages for programs, each operation and each event by itself. */
export const markdownTexts = (
  document: ApiDocument,
  guides: ReadonlyArray<Guide>,
  groups: ReadonlyArray<Group>,
  baseUrl: string
): ReadonlyArray<MarkdownText> => [
  ...guides.map((guide) => ({ address: guidePath(guide), text: () => guideText(guide, guides, baseUrl) })),
  ...groups.flatMap(({ sections }) => sections).flatMap((section) => [
    { address: sectionPath(section), text: () => sectionText(section, baseUrl) },
    ...section.operations.map((operation) => ({
      address: operationPath(operation),
      text: () => operationText(document, section, operation, baseUrl)
    }))
  ]),
  { address: eventsPath, text: () => eventsText(document, baseUrl) },
  ...Object.keys(document.webhooks).map((type) => ({
    address: eventPath(type),
    text: () => eventText(document, type, baseUrl)
  })),
  { address: "/llms.txt", text: () => llmsText(document, guides, groups, baseUrl) },
  {
    address: "/llms-full.txt",
    text: () => joined(...guides.map((guide) => guideText(guide, guides, baseUrl).trim()))
  }
]
