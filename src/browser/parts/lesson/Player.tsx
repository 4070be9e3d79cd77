import { useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import type { Schemas } from "../../../sdk/index.ts"
import { atSecond } from "../../client/Format.ts"
import { said, spoken } from "../../client/Language.ts"
import { type Addressed, forgetAddress, steadyFile } from "../../client/SteadyAddress.ts"
import { currentMillis, millisOf } from "../../client/Time.ts"
import { type Place, type PlaceKeeper, resumeAt } from "./places.ts"
import type { Stage } from "./stage.ts"

const words = spoken(
  {
    again: "Try again",
    begin: "From the beginning",
    failed: "This could not be played. You may be offline, or the file may no longer exist.",
    resumed: (at: string) => `You go on from ${at}.`
  },
  {
    again: "Tentar de novo",
    begin: "Do começo",
    failed: "Não foi possível reproduzir. A conexão pode ter caído, ou o arquivo pode ter sido removido.",
    resumed: (at: string) => `Continuando de ${at}.`
  }
)

interface PlayerProps {
  readonly media: Schemas["ShownMedia"]
  readonly blockId: string
  /** Names the file, for its steady address. */
  readonly name: string
  /** Keeps where the student is. */
  readonly keeper: PlaceKeeper
  /** Where the student was in it. Undefined if that was elsewhere. */
  readonly place: Place | undefined
  readonly stage: Stage
  /** True if it is near the beginning of the lesson, so that its length and first picture are loaded. */
  readonly isNear: boolean
}

const hasEnded = ({ expires_at }: Addressed) => expires_at !== null && millisOf(expires_at) <= currentMillis()

/** A phone shows nothing around a video that plays. */
const showPlaying = (isPlaying: boolean) => {
  const { dataset } = document.documentElement
  if (isPlaying) dataset["playing"] = "true"
  else delete dataset["playing"]
}

/**
 * A video or sound of ours. It goes on where the student was, on this device or another, and keeps where they are. An
 * address that has ended is replaced while it plays.
 */
export const Player = ({ blockId, isNear, keeper, media, name, place, stage }: PlayerProps) => {
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  // This may be an older address than that of the last answer.
  const source = useSignal(useMemo(() => steadyFile(name, media), []))
  const resumed = useSignal<number | undefined>(undefined)
  const isFailed = useSignal(false)
  // Once the file is known, the player goes to this second, and plays on if it did before. Without a second it goes on
  // where the student was.
  const wanted = useRef<{ readonly seconds: number | undefined; readonly plays: boolean } | undefined>(undefined)
  const isTouched = useRef(false)

  const goTo = (seconds: number, plays: boolean) => {
    const shown = player.current
    if (shown === null) return
    if (shown.readyState === 0) {
      wanted.current = { seconds, plays }
      shown.load()
      return
    }
    shown.currentTime = seconds
    // A browser may want a click first; then the student plays it.
    if (plays) shown.play().catch(() => {})
  }

  const onKnown = () => {
    const shown = player.current
    if (shown === null) return
    const { current } = wanted
    wanted.current = undefined
    const at = place === undefined || isTouched.current ? undefined : resumeAt(place, shown.duration)
    if (current?.seconds === undefined && at !== undefined) {
      shown.currentTime = at
      resumed.value = at
    }
    if (current !== undefined) goTo(current.seconds ?? shown.currentTime, current.plays)
  }

  // Another device may have been further on, which an answer tells only now.
  useLayoutEffect(() => {
    const shown = player.current
    if (shown === null || shown.readyState === 0 || !shown.paused) return
    if (isTouched.current && (place === undefined || keeper.isOwn(place.seconds))) return
    isTouched.current = false
    onKnown()
  }, [place?.seconds])

  // A new address counts once the old one has failed.
  useLayoutEffect(() => {
    if (isFailed.peek() || wanted.current !== undefined) {
      isFailed.value = false
      source.value = steadyFile(name, media)
    }
  }, [media.url])

  const onFailure = () => {
    const shown = player.current
    if (shown === null) return
    // The next address goes on here. Before the file is known, the player is at no second yet.
    wanted.current ??= { seconds: shown.readyState > 0 ? shown.currentTime : undefined, plays: !shown.paused }
    forgetAddress(name)
    if (hasEnded(source.peek())) stage.reload()
    else isFailed.value = true
  }

  useLayoutEffect(() => {
    const shown = player.current
    const leave = () => {
      if (shown !== null && isTouched.current) keeper.leaves(shown.currentTime)
    }
    const hide = () => document.visibilityState === "hidden" && leave()
    document.addEventListener("visibilitychange", hide)
    addEventListener("pagehide", leave)
    const stop = stage.enter(blockId, { seek: (seconds) => goTo(seconds, true), pause: () => shown?.pause(), shown })
    return () => {
      document.removeEventListener("visibilitychange", hide)
      removeEventListener("pagehide", leave)
      leave()
      stop()
      showPlaying(false)
    }
  }, [keeper])

  const shared = {
    ref: player,
    src: source.value.url,
    controls: true,
    preload: isNear ? "metadata" : "none",
    "aria-label": media.title,
    onLoadedMetadata: onKnown,
    onError: onFailure,
    onPlay: () => {
      stage.onlyPlay(blockId)
      if (media.kind === "video") showPlaying(true)
    },
    // Somebody may press it before the file is known; it still goes on where they were.
    onPlaying: () => {
      isTouched.current = true
    },
    onSeeking: () => {
      if (player.current?.currentTime !== resumed.peek()) isTouched.current = true
    },
    onPause: () => {
      showPlaying(false)
      if (player.current !== null) keeper.stops(player.current.currentTime)
    },
    onTimeUpdate: () => {
      if (player.current?.paused === false) keeper.plays(player.current.currentTime)
    }
  } as const

  return (
    <div class="player">
      {media.kind === "audio" ? <audio {...shared} /> : <video {...shared} playsInline />}
      {isFailed.value && (
        <div class="notice bad" role="alert">
          <p>{said(words).failed}</p>
          <button type="button" class="quiet" onClick={stage.reload}>{said(words).again}</button>
        </div>
      )}
      {resumed.value !== undefined && (
        <p class="resumed soft small" role="status">
          {said(words).resumed(atSecond(resumed.value))}{" "}
          <button
            type="button"
            class="link"
            onClick={() => {
              resumed.value = undefined
              isTouched.current = true
              goTo(0, true)
            }}
          >
            {said(words).begin}
          </button>
        </p>
      )}
    </div>
  )
}
