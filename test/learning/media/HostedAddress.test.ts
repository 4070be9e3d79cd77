import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { embedUrlOf, hostedVideoAt } from "../../../src/learning/media/HostedAddress.ts"
import { embedUrl, frameOrigins, isExternalId, watchUrl } from "../../../src/learning/media/HostedProvider.ts"

const guid = "3f9c2a7d-51e8-4b06-9d2f-0a1b2c3d4e5f"
const library = "vz-1a2b3c4d-5e6"
const playback = "DS00Spx1CV902MCtPj5WknGlR102V5HFkDe"

const youtube = { provider: "youtube", external_id: "dQw4w9WgXcQ" }
const vimeo = { provider: "vimeo", external_id: "76979871" }
const unlisted = { provider: "vimeo", external_id: "76979871/8272103f6e" }
const panda = { provider: "panda", external_id: `${library}/${guid}` }
const bunny = { provider: "bunny", external_id: `12345/${guid}` }
const mux = { provider: "mux", external_id: playback }

describe("a pasted address", () => {
  it.each([
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", youtube],
    ["https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&list=PL1&t=42s", youtube],
    ["http://youtube.com/watch?v=dQw4w9WgXcQ#t=10", youtube],
    ["https://m.youtube.com/watch?v=dQw4w9WgXcQ", youtube],
    ["https://music.youtube.com/watch?v=dQw4w9WgXcQ", youtube],
    ["https://youtu.be/dQw4w9WgXcQ?si=Ab-1", youtube],
    ["youtu.be/dQw4w9WgXcQ", youtube],
    ["  www.youtube.com/shorts/dQw4w9WgXcQ  ", youtube],
    ["https://www.youtube.com/live/dQw4w9WgXcQ?feature=share", youtube],
    ["https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0", youtube],
    ["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", youtube],
    ["HTTPS://WWW.YOUTUBE.COM/watch?v=dQw4w9WgXcQ", youtube],
    [`<iframe width="560" src="https://www.youtube.com/embed/dQw4w9WgXcQ?si=A&amp;start=3"></iframe>`, youtube],
    ["https://vimeo.com/76979871", vimeo],
    ["https://vimeo.com/76979871?share=copy", vimeo],
    ["https://vimeo.com/channels/staffpicks/76979871", vimeo],
    ["https://vimeo.com/groups/123/videos/76979871", vimeo],
    ["https://vimeo.com/showcase/456/video/76979871", vimeo],
    ["https://player.vimeo.com/video/76979871", vimeo],
    ["https://vimeo.com/76979871/8272103f6e", unlisted],
    ["https://vimeo.com/76979871/8272103f6e?fl=pl&fe=sh", unlisted],
    ["https://vimeo.com/manage/videos/76979871/8272103f6e/privacy", unlisted],
    ["https://player.vimeo.com/video/76979871?h=8272103f6e&badge=0", unlisted],
    [`https://player-${library}.tv.pandavideo.com.br/embed/?v=${guid}`, panda],
    [`https://player-${library}.tv.pandavideo.com.br/embed/?v=${guid.toUpperCase()}&iosFakeFullscreen=true`, panda],
    [`<iframe id="panda" src='https://player-${library}.tv.pandavideo.com.br/embed/?v=${guid}'></iframe>`, panda],
    [`https://iframe.mediadelivery.net/embed/12345/${guid}?autoplay=false`, bunny],
    [`https://iframe.mediadelivery.net/play/12345/${guid}`, bunny],
    [`https://video.bunnycdn.com/play/12345/${guid}`, bunny],
    [`https://player.mux.com/${playback}?metadata-video-title=Aula`, mux],
    [`https://stream.mux.com/${playback}.m3u8`, mux],
    [`https://stream.mux.com/${playback}/high.mp4`, mux]
  ])("is understood: %s", (address, expected) => {
    assert.deepStrictEqual(hostedVideoAt(address), expected)
  })

  it.each([
    "",
    "https://",
    "dQw4w9WgXcQ",
    "https://example.com/watch?v=dQw4w9WgXcQ",
    "https://youtube.com.example.com/watch?v=dQw4w9WgXcQ",
    "https://example.com/?u=https://youtu.be/dQw4w9WgXcQ",
    "https://user@example.com/youtu.be/dQw4w9WgXcQ",
    "https://www.youtube.com/watch?v=short",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ\"><script>",
    "https://www.youtube.com/@canal",
    "https://www.youtube.com/playlist?list=PL1",
    "https://vimeo.com/staffpicks",
    "https://player-vz-1.tv.pandavideo.com.br.example.com/embed/?v=3f9c2a7d-51e8-4b06-9d2f-0a1b2c3d4e5f",
    "https://player-x/y.tv.pandavideo.com.br/embed/?v=3f9c2a7d-51e8-4b06-9d2f-0a1b2c3d4e5f",
    "https://iframe.mediadelivery.net/embed/12345/../3f9c2a7d",
    "javascript:alert(1)//youtu.be/dQw4w9WgXcQ",
    "ftp://youtu.be/dQw4w9WgXcQ"
  ])("is of no video: %s", (address) => {
    assert.isNull(hostedVideoAt(address))
  })

  it.prop("never names an id that its provider does not have", { text: Schema.String }, ({ text }) => {
    for (const address of [text, `https://youtu.be/${text}`, `https://vimeo.com/${text}`, `stream.mux.com/${text}`]) {
      const video = hostedVideoAt(address)
      assert.isTrue(video === null || isExternalId(video.provider, video.external_id))
    }
  })
})

describe("the address for a frame", () => {
  it.each([
    ["youtube", "dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
    ["vimeo", "76979871", "https://player.vimeo.com/video/76979871"],
    ["vimeo", "76979871/8272103f6e", "https://player.vimeo.com/video/76979871?h=8272103f6e"],
    ["panda", `${library}/${guid}`, `https://player-${library}.tv.pandavideo.com.br/embed/?v=${guid}`],
    ["bunny", `12345/${guid}`, `https://iframe.mediadelivery.net/embed/12345/${guid}`],
    ["mux", playback, `https://player.mux.com/${playback}`]
  ] as const)(
    "of %s is found from the page of the video, and its origin is one of those for frames: %s",
    (provider, id, url) => {
      assert.strictEqual(embedUrl(provider, id), url)
      assert.strictEqual(embedUrlOf(watchUrl(provider, id)), url)
      assert.deepStrictEqual(hostedVideoAt(url), { provider, external_id: id })
      const { origin } = new URL(url)
      assert.isTrue(frameOrigins.some((one) => one === origin || origin.endsWith(one.replace(/^https:\/\/\*/, ""))))
    }
  )

  it("is none of a page that is no provider's", () => {
    assert.isNull(embedUrlOf("https://example.com/"))
  })
})
