import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import type { OrganizationId } from "../../identity/ids/ClubId.ts"
import { pageUrl, PublicUrls } from "../../platform/http/ServerSettings.ts"
import type { FaceImageName } from "./Face.ts"

/** A name for a content: another content has another one. */
export const versionOf = (content: string): string => hash("sha256", content, "hex").slice(0, 8)

/** The addresses of faces, for anyone. */
export class FaceAddresses extends Context.Service<FaceAddresses, {
  /** Null without a media record. */
  image(organization_id: OrganizationId, name: FaceImageName, media_id: string | null): string | null
  /** The icon that is drawn of this text. */
  icon(organization_id: OrganizationId, drawn: string): string
}>()("turma/membership/clubs/FaceAddresses") {
  static readonly layer = Layer.effect(
    FaceAddresses,
    Effect.map(PublicUrls, ({ api }) => {
      const address = (organization_id: OrganizationId, file: string, content: string) =>
        pageUrl(api, `v1/clubs/${organization_id}/face/${file}`, { v: versionOf(content) })
      return FaceAddresses.of({
        image: (organization_id, name, media_id) => media_id === null ? null : address(organization_id, name, media_id),
        icon: (organization_id, drawn) => address(organization_id, "icon.svg", drawn)
      })
    })
  ).pipe(Layer.provide(PublicUrls.layer))
}
