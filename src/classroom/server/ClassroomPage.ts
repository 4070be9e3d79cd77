import { Option } from "effect"
import { documentFor } from "../../browser/server/PageDocument.ts"
import type { PageFiles } from "../../browser/server/PageFiles.ts"
import type { OrganizationId } from "../../identity/ids/ClubId.ts"
import type { FaceColors } from "../../membership/clubs/Accent.ts"
import type { ClubFace } from "../../membership/clubs/ClubFaces.ts"
import { versionOf } from "../../membership/clubs/FaceAddresses.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { html } from "../../platform/pages/Html.ts"
import { icon } from "../../platform/pages/Look.ts"
import { manifestPath, sheetPath } from "./ClassroomAddresses.ts"

const needsScript: Readonly<Record<Locale, string>> = {
  en: "The classroom needs JavaScript.",
  "pt-BR": "A sala de aula precisa de JavaScript."
}

/** The club's colours in place of ours, as our tokens name them. Empty without colours of its own. */
export const faceSheet = (found: Option.Option<ClubFace>): string => {
  const colors = Option.getOrUndefined(found)?.colors ?? null
  if (colors === null) return ""
  const token = (name: string, color: keyof FaceColors["light"]) =>
    `--${name}:light-dark(${colors.light[color]},${colors.dark[color]})`
  return `:root{${
    [
      token("accent", "accent"),
      token("accent-strong", "accent_strong"),
      token("accent-soft", "accent_soft"),
      token("on-accent", "on_accent")
    ].join(";")
  }}`
}

/** A picture of the club's face on the page's own site, by whatever name people reach it. */
const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address)
  return pathname + search
}

const pictureOf = (address: string | null | undefined) => address ? pathOf(address) : undefined

/**
 * The document of a club's classroom, with the club's name, logo and colours. Without the club it has our own, and the
 * language that the browser asks for.
 */
export const classroomDocument = (names: PageFiles["page"], { club, found, preferred }: {
  readonly club: OrganizationId
  readonly found: Option.Option<ClubFace>
  readonly preferred: Locale
}): string => {
  const face = Option.getOrUndefined(found)
  const locale = face?.locale ?? preferred
  const sheet = faceSheet(found)
  const shown = { logo: pictureOf(face?.logo_url), cover: pictureOf(face?.cover_url), welcome: face?.welcome }
  return documentFor(names, {
    page: "classroom",
    lang: locale,
    name: face?.name ?? "Turma",
    icon: pictureOf(face?.icon_url) ?? icon.path,
    data: {
      club,
      locale,
      ...Object.fromEntries(Object.entries(shown).flatMap(([key, value]) => value ? [[key, value]] : []))
    },
    head: html`${sheet !== "" && html`<link rel="stylesheet" href="${`${sheetPath(club)}?v=${versionOf(sheet)}`}">`}
<link rel="manifest" href="${manifestPath(club)}">
<meta name="theme-color" content="${face?.colors?.light.accent ?? "#ffffff"}">`,
    noScript: html`<p>${needsScript[locale]}</p>`
  })
}

/** The beginning of a name. It cuts no character in two: browsers refuse a manifest with half of one. */
const short = (name: string) => Array.from(name).slice(0, 30).join("")

/** How an installed classroom is called and looks, for the browser (W3C, Web Application Manifest). */
export const classroomManifest = (club: OrganizationId, found: Option.Option<ClubFace>) => {
  const face = Option.getOrUndefined(found)
  return {
    name: face?.name ?? "Turma",
    short_name: short(face?.name ?? "Turma"),
    lang: face?.locale,
    start_url: `/classroom/${club}`,
    scope: `/classroom/${club}`,
    display: "standalone",
    theme_color: face?.colors?.light.accent,
    icons: [{ src: pictureOf(face?.icon_url) ?? icon.path, type: "image/svg+xml", sizes: "any", purpose: "any" }]
  }
}
