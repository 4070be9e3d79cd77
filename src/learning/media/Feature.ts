import { Duration, Layer } from "effect"
import { AttachmentsLayer } from "./AttachmentsLayer.ts"
import { ClubFiles } from "./ClubFiles.ts"
import { faceLibrary } from "./FaceLibrary.ts"
import { ClassroomMediaHttp, MediaFoldersHttp, MediaHttp } from "./Http.ts"
import { legacyKeyMigrationLayer } from "./LegacyKeyMigration.ts"
import { mediaCleanupLayer } from "./MediaCleanup.ts"
import { mediaEraser } from "./MediaEraser.ts"
import { MediaFolders } from "./MediaFolders.ts"
import { MediaLibrary } from "./MediaLibrary.ts"
import { waitingFiles } from "./RemovedFiles.ts"
import { StudentUploads } from "./StudentUploads.ts"
import { Uploads } from "./Uploads.ts"

/** The files of a club and of its students. */
export const media = {
  services: Layer.mergeAll(ClubFiles.layer, MediaFolders.layer, MediaLibrary.layer, StudentUploads.layer)
    .pipe(Layer.provideMerge(Layer.mergeAll(AttachmentsLayer, Uploads.layer))),
  routes: Layer.mergeAll(ClassroomMediaHttp, MediaFoldersHttp, MediaHttp),
  workers: Layer.mergeAll(
    mediaCleanupLayer({ every: Duration.minutes(1) }),
    legacyKeyMigrationLayer({ every: Duration.minutes(1) })
  ),
  erasers: [mediaEraser],
  faceImages: faceLibrary,
  queues: [waitingFiles]
}
