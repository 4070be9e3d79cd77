import { Duration, Layer } from "effect"
import { agentOpening } from "./agents/AgentOpening.ts"
import { Agents } from "./agents/Agents.ts"
import { AgentsHttp } from "./agents/Http.ts"
import { waitingAnswers } from "./ask/answers/AnswerSignal.ts"
import { AssistantWorkersLayer } from "./ask/answers/AssistantWorkers.ts"
import { askEraser, sweepAssistantDays } from "./ask/AskEraser.ts"
import { Asks } from "./ask/Asks.ts"
import { Conversations } from "./ask/Conversations.ts"
import { AskHttp } from "./ask/Http.ts"
import { AnswerStreams } from "./ask/streams/AnswerStreams.ts"
import { AssistantLayer } from "./AssistantLayer.ts"
import { changedLessons } from "./material/changes/ChangedLessons.ts"
import { MaterialChanges } from "./material/changes/MaterialChanges.ts"
import { materialLessonReaction, materialMediaReaction } from "./material/changes/MaterialReactions.ts"
import { DocumentReadings } from "./material/documents/DocumentReadings.ts"
import { TranscriptsHttp } from "./material/Http.ts"
import { materialWorkerLayer } from "./material/MaterialIndex.ts"
import { Material } from "./material/search/Material.ts"
import { Transcripts } from "./material/Transcripts.ts"
import { AskedQuestions } from "./questions/AskedQuestions.ts"
import { AssistantUsage } from "./questions/AssistantUsage.ts"
import { AssistantQuestionsHttp } from "./questions/Http.ts"
import { AssistantRepliesHttp } from "./replies/Http.ts"
import { Replies } from "./replies/Replies.ts"
import { ClassroomSearch } from "./search/ClassroomSearch.ts"
import { ClassroomSearchHttp } from "./search/Http.ts"

/** Answers to students, with sources, and the material behind them. */
export const assistant = {
  services: Layer.mergeAll(
    Agents.layer,
    AnswerStreams.layer,
    AskedQuestions.layer,
    Asks.layer,
    AssistantUsage.layer,
    ClassroomSearch.layer,
    Conversations.layer,
    DocumentReadings.layer,
    Replies.layer,
    Transcripts.layer
  ).pipe(
    Layer.provideMerge(AssistantLayer),
    Layer.provideMerge(Material.layer),
    Layer.provideMerge(MaterialChanges.layer)
  ),
  routes: Layer.mergeAll(
    AgentsHttp,
    AskHttp,
    AssistantQuestionsHttp,
    AssistantRepliesHttp,
    ClassroomSearchHttp,
    TranscriptsHttp
  ),
  workers: Layer.merge(AssistantWorkersLayer, materialWorkerLayer({ every: Duration.seconds(1) })),
  opening: agentOpening,
  erasers: [askEraser],
  lessonReaction: materialLessonReaction,
  mediaReaction: materialMediaReaction,
  sweeps: [sweepAssistantDays],
  queues: [waitingAnswers, changedLessons]
}
