import { ApiError } from "./ApiError.ts"

/** The body does not parse. */
export class MalformedRequest extends ApiError<MalformedRequest>()("MalformedRequest", {
  status: 400,
  code: "malformed_request",
  message: "The body is not valid JSON"
}) {}

/** No such thing, or none that this session may know of. */
export class NotFound extends ApiError<NotFound>()("NotFound", {
  status: 404,
  code: "not_found",
  message: "There is no such thing here, or this session may not see it"
}) {}

/** A body over the limit of `RequestLimitsLayer`. */
export class PayloadTooLarge extends ApiError<PayloadTooLarge>()("PayloadTooLarge", {
  status: 413,
  code: "payload_too_large",
  message: "The body is too large: send less of it at a time"
}) {}

/** A body of a type that the route does not take; one that takes more than JSON names what it takes. */
export class UnsupportedMediaType extends ApiError<UnsupportedMediaType>()("UnsupportedMediaType", {
  status: 415,
  code: "unsupported_media_type",
  message: "Send the body as JSON, with Content-Type: application/json"
}) {}

/** Fields, parameters or headers have the wrong shape; the message names up to ten. */
export class ValidationFailed extends ApiError<ValidationFailed>()("ValidationFailed", {
  status: 422,
  code: "validation_failed",
  message: "A field is missing, unknown or not what it must be: the message names each"
}) {}

/** A defect. What it was is in the log only. */
export class InternalError extends ApiError<InternalError>()("InternalError", {
  status: 500,
  code: "internal_error",
  message: "Something went wrong in the service: try again, and report the X-Request-Id if it goes on"
}) {}

/** The service is at its limit for now, not broken; the same request may pass in a moment. */
export class TemporarilyUnavailable extends ApiError<TemporarilyUnavailable>()("TemporarilyUnavailable", {
  status: 503,
  code: "temporarily_unavailable",
  message: "The service is busy: try again in a moment"
}) {}

/** The disk has no room for it, or is to keep what room it has. */
export class StorageFull extends ApiError<StorageFull>()("StorageFull", {
  status: 507,
  code: "storage_full",
  message: "There is no room for files at the moment: try again later"
}) {}

/** The bucket, or the key for it, knows no uploads in parts. */
export class UploadInPartsUnavailable extends ApiError<UploadInPartsUnavailable>()("UploadInPartsUnavailable", {
  status: 501,
  code: "upload_in_parts_unavailable",
  message: "The storage takes no uploads in parts: send the file in one request, as it was answered at the beginning"
}) {}

/** The upload was completed: what is there stays. */
export class UploadCompleted extends ApiError<UploadCompleted>()("UploadCompleted", {
  status: 409,
  code: "upload_completed",
  message: "The upload is complete, and nothing replaces it: begin a new one"
}) {}
