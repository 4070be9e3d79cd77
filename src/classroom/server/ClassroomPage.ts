import { Option } from "effect"
import { documentFor } from "../../browser/server/PageDocument.ts"
import type { PageFiles } from "../../browser/server/PageFiles.ts"
import type { OrganizationId } from "../../identity/ids/ClubId.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { html } from "../../platform/pages/Html.ts"

const needsScript: Readonly<Record<Locale, string>> = {
  en: "The classroom needs JavaScript.",
  "pt-BR": "A sala de aula precisa de JavaScript."
}

/** The document of a club's classroom. Without the club it has no name, and the language that the browser asks for. */
export const classroomDocument = (names: PageFiles["page"], { club, found, preferred }: {
  readonly club: OrganizationId
  readonly found: Option.Option<{ readonly name: string; readonly locale: Locale }>
  readonly preferred: Locale
}): string => {
  const locale = Option.match(found, { onNone: () => preferred, onSome: ({ locale }) => locale })
  return documentFor(names, {
    page: "classroom",
    lang: locale,
    name: Option.match(found, { onNone: () => "Turma", onSome: ({ name }) => name }),
    data: { club, locale },
    noScript: html`<p>${needsScript[locale]}</p>`
  })
}
