import { Schema, SchemaTransformation } from "effect"
import { saying } from "../../platform/http/ApiError.ts"
import { MediaUnknown } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { type AccentColors, faceColors } from "./Accent.ts"

/** The id of a media record, which a feature above keeps. UUIDv7. */
export const FaceMediaId = brandedId("MediaId")
export type FaceMediaId = typeof FaceMediaId.Type

/** The images of a face. */
export const faceImages = ["logo", "cover"] as const
export type FaceImageName = (typeof faceImages)[number]

const hex = Schema.String.check(
  Schema.isMaxLength(7),
  Schema.isPattern(/^#[0-9a-f]{6}$/, { expected: "a colour such as #1d4ed8" })
)
const sentHex = Schema.String.check(
  Schema.isMaxLength(7),
  Schema.isPattern(/^#[0-9a-fA-F]{6}$/, { expected: "a colour such as #1d4ed8" })
)
  .pipe(Schema.decodeTo(hex, SchemaTransformation.toLowerCase()))

const about = {
  logo: "The image of the library that is the club's logo",
  cover: "The image of the library above the club's pages",
  accent: "The colour of links and buttons in the classroom, as six hexadecimal digits behind `#`",
  welcome: "The sentence that greets students where they sign in, of 1 to 300 characters"
}
const example = { accent: "#b4235a", welcome: "Que bom que você veio. Entre e continue de onde parou." }

const Url = Schema.NullOr(Schema.String.annotate({ format: "uri" }))

/** The stored parts of a face. */
export const faceColumns = {
  logo_media_id: Schema.NullOr(FaceMediaId).pipe(field(`${about.logo}; null without one`, null)),
  cover_media_id: Schema.NullOr(FaceMediaId).pipe(field(`${about.cover}; null without one`, null)),
  accent: Schema.NullOr(hex).pipe(field(
    `${about.accent}; null: our own colour. Pages darken or lighten it until it can be read`,
    example.accent
  )),
  welcome: Schema.NullOr(Schema.String).pipe(field(`${about.welcome}; null without one`, example.welcome))
}

/** The same in answers, with addresses that stay and need no session. */
export const faceFields = {
  ...faceColumns,
  logo_url: Url.pipe(field(
    "The address of the logo, for anyone; another logo has another address. Null without one",
    "https://turma.example/v1/clubs/6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10/face/logo?v=5f2a9c01"
  )),
  cover_url: Url.pipe(field(
    "The address of the cover, for anyone; another cover has another address. Null without one",
    "https://turma.example/v1/clubs/6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10/face/cover?v=0d7be3f4"
  ))
}

const image = (what: string) =>
  Schema.optionalKey(Schema.NullOr(sentId(FaceMediaId)))
    .pipe(field(`${what}: ready, and of at most 2 MiB. From then on anyone can see it. Null removes it; unchanged without it`))

/** Absent fields stay unchanged. */
export const FacePatch = {
  logo_media_id: image(about.logo),
  cover_media_id: image(about.cover),
  accent: Schema.optionalKey(Schema.NullOr(sentHex))
    .pipe(field(`${about.accent}. Null: our own colour; unchanged without it`, example.accent)),
  welcome: Schema.optionalKey(Schema.NullOr(text(1, 300)))
    .pipe(field(`${about.welcome}. Null removes it; unchanged without it`, example.welcome))
}

/** The accent whose colours somebody asks for. */
export const AccentQuery = {
  accent: Schema.optionalKey(sentHex).pipe(field(`${about.accent}. Without it, our own colour`, example.accent))
}

const color = (what: string, example: string) => hex.pipe(field(what, example))

const themeColors = (shown: { readonly [Name in keyof AccentColors]: string }) =>
  Schema.Struct({
    accent: color("Links, and the ground of the primary button", shown.accent),
    accent_strong: color("The same under a pointer", shown.accent_strong),
    accent_soft: color("The ground of the entry that is chosen; `accent` can be read on it", shown.accent_soft),
    on_accent: color("The letters on `accent` and `accent_strong`", shown.on_accent)
  })

const shown = faceColors(example.accent)

/** The colours that pages take from an accent. */
export const ShownColors = Schema.Struct({
  light: themeColors(shown.light).pipe(field("The colours of the light theme")),
  dark: themeColors(shown.dark).pipe(field("The colours of the dark theme"))
}).annotate({
  identifier: "FaceColors",
  description: "The colours that pages take from a club's accent, in both themes"
})

/** In bytes. Everybody who signs in waits for these images. */
export const mostFaceBytes = 2 * 1024 * 1024

/** The refusal of an image that may not be part of a face. */
export const faceImageUnknown = () =>
  new MediaUnknown(saying({
    en: "Logo and cover must be images of the library that are ready, of at most 2 MiB",
    "pt-BR": "O logo e a capa precisam ser imagens da biblioteca, já enviadas e de até 2 MiB."
  }))
