import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { text } from "../../platform/http/Text.ts"
import { FolderId } from "./Media.ts"

/** A folder of the library. */
export class MediaFolder extends Schema.Class<MediaFolder>("MediaFolder")({
  id: FolderId,
  name: Schema.String,
  created_at: Schema.DateTimeUtcFromDate
}) {}

const Name = text(1, 120)

/** A folder of the library. Its name may be that of another. */
export const CreateFolder = Schema.Struct({ name: Name })

/** Absent is unchanged. */
export const FolderPatch = Schema.Struct({ name: Schema.optionalKey(Name) })

/** The club has no such folder. */
export class FolderUnknown extends ApiError<FolderUnknown>()("FolderUnknown", {
  status: 422,
  code: "folder_unknown",
  message: "folder_id must be a folder that the club has"
}) {}

/** There are media records in it. */
export class FolderInUse extends ApiError<FolderInUse>()("FolderInUse", {
  status: 409,
  code: "folder_in_use",
  message: "There are media records in the folder: move them first"
}) {}
