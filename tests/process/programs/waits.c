/* Native waits that something native will end, after the seconds that it is told. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static sem_t posted;
static sem_t *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_set;
static pthread_t last;
static void (*callback)(void);
static sem_t locked;

static void *post(void *seconds) {
    sleep((long)seconds);
    sem_post(&posted);
    return NULL;
}
void post_later(long seconds) { pthread_create(&last, NULL, post, (void *)seconds); }
void wait_for_post(void) {
    while (sem_wait(&posted) != 0)
        ;
}
void join_last(void) { pthread_join(last, NULL); }

static void *set(void *seconds) {
    sleep((long)seconds);
    pthread_mutex_lock(&mutex);
    is_set = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
void signal_later(long seconds) { pthread_create(&last, NULL, set, (void *)seconds); }
void wait_for_signal(void) {
    pthread_mutex_lock(&mutex);
    while (!is_set)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void *call(void *seconds) {
    sleep((long)seconds);
    callback();
    return NULL;
}
void call_later(void (*function)(void), long seconds) {
    callback = function;
    pthread_create(&last, NULL, call, (void *)seconds);
}

static void *hold(void *seconds) {
    pthread_mutex_lock(&mutex);
    sem_post(&locked);
    sleep((long)seconds);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
void hold_for(long seconds) {
    pthread_create(&last, NULL, hold, (void *)seconds);
    sem_wait(&locked);
}
void lock(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void run(union sigval value) {
    (void)value;
    sem_post(&posted);
}
static void handle(int number) {
    (void)number;
    sem_post(&posted);
}
static void arm(struct sigevent *event, long seconds) {
    static timer_t timer;
    struct itimerspec when = {.it_value = {.tv_sec = seconds}};
    timer_create(CLOCK_MONOTONIC, event, &timer);
    timer_settime(timer, 0, &when, NULL);
}
void timer_posts(long seconds) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = run};
    arm(&event, seconds);
}
void timer_signals(long seconds) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
    signal(SIGRTMIN + 3, handle);
    arm(&event, seconds);
}

void fork_posts(long seconds) {
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(shared, 1, 0);
    if (fork() == 0) {
        sleep(seconds);
        sem_post(shared);
        _exit(0);
    }
}
void wait_for_shared_post(void) { sem_wait(shared); }

#ifdef SLOW_CONSTRUCTOR
__attribute__((constructor)) static void construct(void) { sleep(SLOW_CONSTRUCTOR); }
#endif
