import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fileTypeOf, isOfType, limitOf } from "../../../src/learning/media/FileType.ts"
import { type HostedProvider, isExternalId, watchUrl } from "../../../src/learning/media/HostedProvider.ts"
import { imageSize } from "../../../src/learning/media/ImageSize.ts"
import { ClubPurpose, MediaKind, StudentPurpose } from "../../../src/learning/media/Media.ts"
import { gif, jpeg, png } from "./Files.ts"

const webp = (chunk: string) => Buffer.concat([Buffer.from("RIFF....WEBP"), Buffer.from(chunk, "hex"), Buffer.alloc(8)])

/** Limits in MiB. */
const staffLimits = { image: 20, document: 200, file: 1024, audio: 5 * 1024, video: 5 * 1024 } as const

describe("The size of an image", () => {
  it.each([
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/gif", gif],
    // VP8X: flags, then width and height less one, 24 bits each.
    ["image/webp", webp("565038580a00000000000000020000010000")],
    // VP8L: the mark, then 14 bits each, less one.
    ["image/webp", webp("5650384c000000002f02400000")],
    // VP8: a key frame's mark, then 14 bits each.
    ["image/webp", webp("56503820000000000000009d012a03000200")]
  ])("is read from its first bytes: %s", (mime, bytes) => {
    assert.deepStrictEqual(imageSize(mime, bytes), { width: 3, height: 2 })
  })

  it.each([["image/png", png], ["image/jpeg", jpeg], ["image/gif", gif]])(
    "is unknown where %s is cut off",
    (mime, bytes) => {
      for (let length = 0; length < 8; length++) assert.isUndefined(imageSize(mime, bytes.subarray(0, length)))
    }
  )

  it("is unknown where it is more than any image has", () => {
    const of = (width: number) => {
      const bytes = Buffer.from(png)
      bytes.writeUInt32BE(width, 16)
      return imageSize("image/png", bytes)
    }
    assert.deepStrictEqual(of(2 ** 31 - 1), { width: 2 ** 31 - 1, height: 2 })
    assert.isUndefined(of(2 ** 31))
  })

  it.prop(
    "is positive or unknown, whatever the bytes are",
    [Schema.Literals(["image/png", "image/jpeg", "image/gif", "image/webp", "text/plain"]), Schema.Uint8Array],
    ([mime, bytes]) => {
      const size = imageSize(mime, bytes)
      assert.isTrue(size === undefined || (size.width > 0 && size.height > 0))
    }
  )
})

describe("A type of file", () => {
  it("is taken, or not, by its exact name", () => {
    for (const mime of ["image/svg+xml", "text/html", "application/javascript", "IMAGE/PNG", "toString", ""]) {
      assert.isUndefined(fileTypeOf(mime))
      assert.isFalse(isOfType(mime, undefined))
    }
  })

  it("has for students no limit above that of the staff", () => {
    for (const kind of MediaKind.literals) {
      const ofStaff = staffLimits[kind] * 1024 * 1024
      for (const purpose of ClubPurpose.literals) assert.strictEqual(limitOf(purpose, kind), ofStaff)
      for (const purpose of StudentPurpose.literals) {
        assert.isAtMost(limitOf(purpose, kind) ?? 0, Math.min(ofStaff, 100 * 1024 * 1024))
      }
    }
  })

  it("without a mark of its own is contradicted by every mark", () => {
    assert.isTrue(isOfType("text/plain", undefined))
    assert.isFalse(isOfType("text/plain", "image/png"))
    assert.isFalse(isOfType("image/png", undefined))
  })
})

const guid = "0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a"

describe("A provider's id", () => {
  it.each<[HostedProvider, string, string]>([
    ["youtube", "dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
    ["vimeo", "76979871", "https://vimeo.com/76979871"],
    ["panda", `vz-1a2b3c4d-5e6/${guid}`, `https://player-vz-1a2b3c4d-5e6.tv.pandavideo.com.br/embed/?v=${guid}`],
    ["bunny", `12345/${guid}`, `https://iframe.mediadelivery.net/play/12345/${guid}`],
    ["mux", "DS00Spx1CV902MCtPj5WknGlR102V5HFkDe", "https://player.mux.com/DS00Spx1CV902MCtPj5WknGlR102V5HFkDe"]
  ])("of %s has one page: %s", (provider, id, url) => {
    assert.isTrue(isExternalId(provider, id))
    assert.strictEqual(watchUrl(provider, id), url)
  })

  it.prop(
    "leads nowhere else",
    [Schema.Literals(["youtube", "vimeo", "panda", "bunny", "mux"]), Schema.String],
    ([provider, text]) => {
      for (const id of [text, `${text}@evil.example`, `dQw4w9WgXcQ${text}`]) {
        if (!isExternalId(provider, id)) continue
        assert.match(
          new URL(watchUrl(provider, id)).host,
          /^(?:www\.youtube\.com|vimeo\.com|player-vz-[0-9a-z-]+\.tv\.pandavideo\.com\.br|iframe\.mediadelivery\.net|player\.mux\.com)$/
        )
      }
    }
  )
})
