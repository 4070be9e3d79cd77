import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { sentId } from "../../platform/http/Text.ts"
import { first } from "../../platform/sql/Rows.ts"
import { type FaceColors, faceColors } from "./Accent.ts"
import { clubIcon } from "./ClubIcon.ts"
import { faceColumns, type FaceImageName } from "./Face.ts"
import { FaceAddresses, versionOf } from "./FaceAddresses.ts"
import { type FaceImage, FaceImages } from "./FaceImages.ts"

const FaceRow = Schema.Struct({
  club_id: ClubId,
  organization_id: OrganizationId,
  name: Schema.String,
  locale: Locale,
  sign_up_open: Schema.Boolean,
  ...faceColumns
})

const decodeRow = first(FaceRow)
const decodeId = Schema.decodeUnknownOption(sentId(OrganizationId))

/** How a club shows itself to people without a session. */
export interface ClubFace {
  readonly organization_id: OrganizationId
  readonly name: string
  readonly locale: Locale
  readonly sign_up_open: boolean
  /** As the club chose it; null: our own. */
  readonly accent: string | null
  /** The colours that the accent gives a page; null: our own. */
  readonly colors: FaceColors | null
  readonly logo_url: string | null
  readonly cover_url: string | null
  readonly icon_url: string
  readonly welcome: string | null
}

/** A file of a face, and the name of its content, which is in its address. */
export interface FaceFile<File> {
  readonly file: File
  readonly version: string
}

/** The faces of clubs, for pages without a session. Empty: no club has this public id, or it has no such image. */
export class ClubFaces extends Context.Service<ClubFaces, {
  /** Takes any text in place of an id. One statement. */
  find(organization_id: string): Effect.Effect<Option.Option<ClubFace>>
  /** The image that the club has now. Two statements. */
  image(organization_id: string, name: FaceImageName): Effect.Effect<Option.Option<FaceFile<FaceImage>>>
  /** The icon as SVG. One statement. */
  icon(organization_id: string): Effect.Effect<Option.Option<FaceFile<string>>>
}>()("turma/membership/clubs/ClubFaces") {
  static readonly layer = Layer.effect(
    ClubFaces,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const addresses = yield* FaceAddresses
      const images = yield* FaceImages

      const read = Effect.fnUntraced(function*(sent: string) {
        const id = decodeId(sent)
        if (Option.isNone(id)) return Option.none()
        return yield* sql`
          select c.id as club_id, c.organization_id, c.name, c.locale, c.sign_up_open,
            f.logo_media_id, f.cover_media_id, f.accent, f.welcome
          from clubs c left join club_faces f on f.club_id = c.id
          where c.organization_id = ${id.value}`.pipe(decodeRow)
      })

      const find = Effect.fn("ClubFaces.find")(function*(sent: string) {
        return Option.map(yield* read(sent), (row): ClubFace => {
          const { accent, cover_media_id, locale, logo_media_id, name, organization_id, sign_up_open, welcome } = row
          return {
            organization_id,
            name,
            locale,
            sign_up_open,
            accent,
            colors: accent === null ? null : faceColors(accent),
            logo_url: addresses.image(organization_id, "logo", logo_media_id),
            cover_url: addresses.image(organization_id, "cover", cover_media_id),
            icon_url: addresses.icon(organization_id, clubIcon(name, accent)),
            welcome
          }
        })
      })

      const image = Effect.fn("ClubFaces.image")(function*(sent: string, name: FaceImageName) {
        const row = yield* read(sent)
        if (Option.isNone(row)) return Option.none()
        const id = row.value[`${name}_media_id`]
        if (id === null) return Option.none()
        return Option.map(yield* images.find(row.value.club_id, id), (file) => ({ file, version: versionOf(id) }))
      })

      const icon = Effect.fn("ClubFaces.icon")(function*(sent: string) {
        return Option.map(yield* read(sent), ({ accent, name }) => {
          const file = clubIcon(name, accent)
          return { file, version: versionOf(file) }
        })
      })

      return ClubFaces.of({ find, image, icon })
    })
  ).pipe(Layer.provide(FaceAddresses.layer))
}
