import { atPage } from "../../../browser/parts/lesson/FileLink.tsx"
import type { Stage } from "../../../browser/parts/lesson/stage.ts"
import type { OpenSource, Source } from "../../club/Source.ts"
import type { Lesson } from "./lesson.ts"

type Block = Lesson["blocks"][number]

const isOf = ({ block_id, media_id }: Source) => (block: Block) =>
  block.id === block_id ||
  typeof media_id === "string" && (block.kind === "video" || block.kind === "file") && block.media_id === media_id

/**
 * How the places in a lesson are opened: a second plays, a page opens in the browser's viewer, a block is shown. `mark`
 * gets a block that was named itself.
 */
export const openingIn = (
  blocks: ReadonlyArray<Block>,
  stage: Stage,
  mark: (blockId: string | undefined) => void
): OpenSource =>
(source) => {
  const block = blocks.find(isOf(source))
  if (block === undefined) return false
  const playing = stage.find(block.id)
  const place = document.getElementById(`block-${block.id}`)
  const isNamed = block.id === source.block_id
  mark(isNamed ? block.id : undefined)
  place?.scrollIntoView({ block: "start" })
  // A screen reader goes on from here. A citation beside the lesson keeps the focus.
  if (place !== null && isNamed && document.activeElement?.contains(place) === true) {
    place.tabIndex = -1
    place.focus({ preventScroll: true })
  }
  if (playing === undefined && block.kind === "file" && block.media !== null) {
    // A browser may refuse it to a page that was not pressed. The file is then in view.
    open(atPage(block.media.url, source.page), "_blank", "noopener")
    return true
  }
  if (typeof source.seconds === "number") playing?.seek(source.seconds)
  return place !== null
}
