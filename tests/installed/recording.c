/* recording.c  The writer of recordings alone, from an installed library: without ODE. */
#include <kinetostat/recording.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const ksRecordedBody body = {
        .state = {.quaternion = {1, 0, 0, 0}}, .mass = 2, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ksRecording *recording;
    int index = -1;
    if (ksRecordingCreate(NULL, NULL, &recording) || ksRecordingAddBody(recording, &body, &index) || index != 0)
        return 1;
    if (ksRecordingBeginStep(recording, 0, NULL, NULL) != KS_ERROR_BAD_ARGUMENT ||
        !strstr(ksErrorMessage(), "stepSize"))
        return 1;
    if (ksRecordingBeginStep(recording, 0.01, NULL, NULL) || ksRecordingEndStep(recording, &body.state, NULL))
        return 1;
    printf("recordings: %s\n", ksStatusName(ksRecordingClose(recording)));
    return 0;
}
