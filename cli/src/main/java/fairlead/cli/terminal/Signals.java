package fairlead.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** What the system tells a program while it runs. */
public final class Signals {
    private Signals() {}

    /**
     * Whether this signal is why the program ends, for a shutdown hook: meanwhile the runtime's
     * thread for the signal lives. Its name is known to nobody by contract, but a handler of our
     * own takes 13 ms of every start to set up. Where the name is another one, the answer is no.
     *
     * @param name such as {@code HUP}
     */
    public static boolean isEndedBy(String name) {
        String handler = "SIG" + name + " handler";
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(handler));
    }

    /**
     * From now on the action answers the signal, such as {@code WINCH}, instead of what Java does.
     * Java hears of signals only by a class that is not part of its official interface, and the
     * compiler warns of that wherever it is named; a runtime without it stays as it is.
     */
    public static void on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours =
                    Proxy.newProxyInstance(
                            handler.getClassLoader(),
                            new Class<?>[] {handler},
                            (_, method, _) -> {
                                if (method.getName().equals("handle")) action.run();
                                return null;
                            });
            Object wanted = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, wanted, ours);
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException _) {
            return;
        }
    }
}
