import { assert, describe, it } from "@effect/vitest"
import { framedAt } from "../../../../src/browser/parts/lesson/hosted.ts"

describe("The frame of a provider's video", () => {
  it.each([
    [
      "https://www.youtube-nocookie.com/embed/Fl4utaDoce0",
      "https://www.youtube-nocookie.com/embed/Fl4utaDoce0?start=90"
    ],
    [
      "https://player.vimeo.com/video/76979871?h=8272103f6e",
      "https://player.vimeo.com/video/76979871?h=8272103f6e#t=90s"
    ],
    [
      "https://player-vz-1a2b.tv.pandavideo.com.br/embed/?v=3f9c",
      "https://player-vz-1a2b.tv.pandavideo.com.br/embed/?v=3f9c&startTime=90"
    ],
    ["https://iframe.mediadelivery.net/embed/1/3f9c", "https://iframe.mediadelivery.net/embed/1/3f9c?t=90"],
    ["https://player.mux.com/a1b2", "https://player.mux.com/a1b2?start-time=90"],
    ["https://unknown.example/video", "https://unknown.example/video"]
  ])("of %s begins at a second, if its player can", (address, at) => {
    assert.strictEqual(framedAt(address, 90.7), at)
    assert.strictEqual(framedAt(address, 0), address)
  })
})
