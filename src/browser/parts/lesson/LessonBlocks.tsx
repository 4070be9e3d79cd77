import type { ComponentChildren } from "preact"
import type { Schemas } from "../../../sdk/index.ts"
import { said, spoken } from "../../client/Language.ts"
import { steadyAddress } from "../../client/SteadyAddress.ts"
import { Markdown } from "../Markdown.tsx"
import { FileLink } from "./FileLink.tsx"
import { HostedVideo } from "./HostedVideo.tsx"
import type { BlockOf, LessonBlock } from "./lessonBlock.ts"
import type { Place, PlaceKeeper } from "./places.ts"
import { Player } from "./Player.tsx"
import type { Stage } from "./stage.ts"

const words = spoken(
  { gone: "This file is no longer there." },
  { gone: "Este arquivo não está mais disponível." }
)

/** Players of so many blocks load their first picture with the lesson. */
const mostNear = 3

/** A block of a lesson, or of its preview. */
type AnyBlock = Schemas["PreviewBlock"] | LessonBlock

/** True if a block is a video or a sound. */
export const plays = (block: AnyBlock): boolean =>
  block.kind === "video" || block.kind === "file" && block.media?.kind === "audio"

/** The parts of a lesson that differ between a student's lesson and a preview. */
interface Own<B extends AnyBlock> {
  readonly stage: Stage
  readonly quiz: (block: Extract<B, { kind: "quiz" }>) => ComponentChildren
  readonly assignment: (block: Extract<B, { kind: "assignment" }>) => ComponentChildren
  readonly placeOf: (block: B) => Place | undefined
  readonly keeperOf: (blockId: string) => PlaceKeeper
}

const sizeOf = ({ height, width }: { readonly height: number | null; readonly width: number | null }) =>
  height === null || width === null ? {} : { height, width }

interface MediaProps {
  readonly block: BlockOf<"video" | "file">
  readonly isNear: boolean
  readonly stage: Stage
  readonly place: Place | undefined
  readonly keeper: PlaceKeeper
}

const Media = ({ block, isNear, keeper, place, stage }: MediaProps) => {
  const { embed_url, id, media, media_id } = block
  // Another media record may stand in the same block later.
  const name = media_id ?? id
  if (media === null) return <p class="notice">{said(words).gone}</p>
  if (embed_url !== null) return <HostedVideo address={embed_url} blockId={id} stage={stage} title={media.title} />
  if (media.kind === "image") {
    return <img class="shown-image" src={steadyAddress(name, media)} alt={media.title} {...sizeOf(media)} />
  }
  if (block.kind === "file" && media.kind !== "audio" && media.kind !== "video") return <FileLink media={media} />
  const own = { blockId: id, isNear, keeper, media, name, place, stage }
  return <Player key={name} {...own} />
}

const isQuiz = <B extends AnyBlock>(block: B): block is Extract<B, { kind: "quiz" }> => block.kind === "quiz"
const isAssignment = <B extends AnyBlock>(block: B): block is Extract<B, { kind: "assignment" }> =>
  block.kind === "assignment"

function Content<B extends AnyBlock>(props: Own<B> & { readonly block: B; readonly index: number }) {
  const { assignment, block, index, keeperOf, placeOf, quiz, stage } = props
  if (isQuiz(block)) return <>{quiz(block)}</>
  if (isAssignment(block)) return <>{assignment(block)}</>
  if (block.kind === "quiz" || block.kind === "assignment") return null
  return (
    <>
      {block.title !== null && <h2 dir="auto">{block.title}</h2>}
      {block.kind === "text"
        ? <Markdown text={block.body} images={block.images} />
        : (
          <Media
            block={block}
            stage={stage}
            place={placeOf(block)}
            keeper={keeperOf(block.id)}
            isNear={index < mostNear}
          />
        )}
    </>
  )
}

interface LessonBlocksProps<B extends AnyBlock> extends Own<B> {
  readonly blocks: ReadonlyArray<B>
  /** The block that a link or a citation led to. */
  readonly marked?: string | undefined
}

/** The blocks of a lesson, one below the other. */
export function LessonBlocks<B extends AnyBlock>({ blocks, marked, ...own }: LessonBlocksProps<B>) {
  return (
    <div class="blocks">
      {blocks.map((block, index) => (
        <div
          key={block.id}
          class={`block of-${block.kind}`}
          id={`block-${block.id}`}
          aria-current={block.id === marked ? "location" : undefined}
        >
          <Content {...own} block={block} index={index} />
        </div>
      ))}
    </div>
  )
}
