import { ApiError } from "../../http/ApiError.ts"

/** The address was not made by this service, is over, or is for something else: one answer for all. */
export class UrlInvalid extends ApiError<UrlInvalid>()("UrlInvalid", {
  status: 403,
  code: "url_invalid",
  message: "The address is invalid or has expired: ask for a new one"
}) {}

/** Not the `Content-Type` that the address was made for. */
class UploadTypeWrong extends ApiError<UploadTypeWrong>()("UploadTypeWrong", {
  status: 415,
  code: "unsupported_media_type",
  message: "Content-Type must be the type that the upload was announced with"
}) {}

/** The refusal, which names the type that is wanted. */
export const uploadTypeWrong = (mime: string) =>
  new UploadTypeWrong({
    error: { message: `Content-Type must be the type that the upload was announced with: ${mime}` }
  })

/** Not as many bytes as the address was made for. */
export class UploadSizeWrong extends ApiError<UploadSizeWrong>()("UploadSizeWrong", {
  status: 422,
  code: "upload_size_wrong",
  message: "Content-Length must be as many bytes as the upload was announced with"
}) {}

/** Not one byte of the file is in the range that was asked for. */
export class RangeNotSatisfiable extends ApiError<RangeNotSatisfiable>()("RangeNotSatisfiable", {
  status: 416,
  code: "range_not_satisfiable",
  message: "Range must name bytes that the file has"
}) {}

/** Somebody is sending the same upload. */
export class UploadInProgress extends ApiError<UploadInProgress>()("UploadInProgress", {
  status: 409,
  code: "upload_in_progress",
  message: "The same upload is under way: wait until it has ended"
}) {}

/** Slower than `UploadPace` allows. */
export class UploadTooSlow extends ApiError<UploadTooSlow>()("UploadTooSlow", {
  status: 408,
  code: "request_timeout",
  message: "The upload came too slowly: send it again"
}) {}
