import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { framedAt } from "./hosted.ts"
import type { Stage } from "./stage.ts"

/** The video of a provider, in its own player. The provider learns which site shows it, as many ask for, and not more. */
export const HostedVideo = ({ address, blockId, stage, title }: {
  readonly address: string
  readonly blockId: string
  readonly stage: Stage
  readonly title: string
}) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const at = useSignal(0)
  useLayoutEffect(() =>
    stage.enter(blockId, {
      seek: (seconds) => {
        at.value = seconds
      },
      // A provider's player takes no word of ours.
      pause: () => {},
      shown: frame.current
    }), [stage, blockId])
  return (
    <div class="player">
      <iframe
        ref={frame}
        src={framedAt(address, at.value)}
        title={title}
        loading="lazy"
        referrerpolicy="strict-origin-when-cross-origin"
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      />
    </div>
  )
}
